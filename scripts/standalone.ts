import { cpSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { startNode } from "@/scripts/child";
import { ROOT, runCommand } from "@/scripts/command";
import { NEXT_PROGRAM } from "@/scripts/next-program";
import { Services } from "@/scripts/services";

// npm run build:standalone – builds the shop into .next/shop, a folder that holds all it needs besides
// Node.js: the Dockerfile's image is made of it, and any host can be. `node server.js` starts it.

const TRACED = path.join(ROOT, ".next/standalone");
const TARGET = path.join(ROOT, ".next/shop");

/** Of what Next.js has gathered: it takes along whatever a path in the code could mean. */
const FROM_TRACED = [".next", "node_modules", "cache-handler.mjs", "package.json", "server.js"];

/** Sent or read by path, besides. */
const FROM_SOURCES = [
  ".next/static",
  "app/fonts/figtree-latin-semibold.ttf",
  "db/migrations",
  "gate.mjs",
  "node_modules/@expo-google-fonts/inter/400Regular",
  "node_modules/@expo-google-fonts/inter/600SemiBold",
  "public",
];

/** As `npm run db:migrate` and so on: `node commands/db-migrate.cjs`. */
const COMMANDS = ["db-migrate", "db-seed", "admin-create"];

function gather(): void {
  rmSync(TARGET, { recursive: true, force: true });
  const copy = (from: string, names: readonly string[]) => {
    for (const name of names) {
      const target = path.join(TARGET, name);
      mkdirSync(path.dirname(target), { recursive: true });
      // Links between packages lead to where the folder will be, not to where it was made.
      cpSync(path.join(from, name), target, { recursive: true, verbatimSymlinks: true });
    }
  };
  copy(TRACED, FROM_TRACED);
  copy(ROOT, FROM_SOURCES);
}

async function bundleCommands(): Promise<void> {
  await build({
    entryPoints: COMMANDS.map((name) => path.join(ROOT, "scripts", `${name}.ts`)),
    outdir: path.join(TARGET, "commands"),
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    // pg's own choices, which are not installed, and what has parts that are no JavaScript.
    external: ["pg-native", "pg-cloudflare", "@node-rs/argon2"],
    logLevel: "error",
  });
}

void runCommand(async () => {
  const services = new Services(130);
  const next = await services.start(async () =>
    startNode({
      args: [...NEXT_PROGRAM, "build"],
      env: {
        ...process.env,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        STANDALONE_BUILD: "1",
      },
    }),
  );
  const code = await next.ended;
  if (code !== 0) return code;
  gather();
  await bundleCommands();
  return 0;
});
