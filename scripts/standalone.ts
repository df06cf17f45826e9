import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { NEXT_CONFIGURATION, PROGRAM } from "@/scripts/bundle";
import { clearFolder } from "@/scripts/clear-folder";
import { ROOT, runCommand } from "@/scripts/command";
import { startBuild } from "@/scripts/fresh-build";
import { Services } from "@/scripts/services";

// npm run build:standalone – builds the shop into .next/shop, a folder that needs nothing but Node.js.
// The Docker image consists of it; `node dist/production/server.mjs` starts it on any host.

const TRACED = path.join(ROOT, ".next/standalone");
const TARGET = path.join(ROOT, ".next/shop");

/** The parts of Next.js's standalone output: its file tracing includes more than is needed. */
const FROM_TRACED = [".next", "node_modules", "package.json"];

/** Files that are served or read by path, which file tracing misses. */
const FROM_SOURCES = [
  ".next/static",
  "app/fonts/figtree-latin-semibold.ttf",
  "db/migrations",
  NEXT_CONFIGURATION,
  "dist/production",
  ...[
    "inter",
    "noto-sans-armenian",
    "noto-sans-devanagari",
    "noto-sans-georgian",
    "noto-sans-hebrew",
    "vazirmatn",
  ].flatMap((typeface) =>
    ["400Regular", "600SemiBold"].map(
      (weight) => `node_modules/@expo-google-fonts/${typeface}/${weight}`,
    ),
  ),
  // Next.js resolves these when it loads its configuration.
  "node_modules/next/dist/compiled/webpack",
  "node_modules/next/dist/compiled/@babel/runtime",
  "next.config.mjs",
  "public",
];

/** Bundled as `commands/db-migrate.cjs` etc. */
const COMMANDS = ["db-migrate", "db-seed", "admin-create"];

/** The data of a shop that runs in that folder: uploads, files for sale, mails. */
const KEPT = ".data";

function assembleFolder(): void {
  clearFolder({ folder: TARGET, kept: KEPT });
  const copy = (from: string, names: readonly string[]) => {
    for (const name of names) {
      const target = path.join(TARGET, name);
      mkdirSync(path.dirname(target), { recursive: true });
      // Symbolic links between packages stay relative: the folder will be moved.
      cpSync(path.join(from, name), target, { recursive: true, verbatimSymlinks: true });
    }
  };
  copy(TRACED, FROM_TRACED);
  copy(ROOT, FROM_SOURCES);
}

async function bundleCommands(): Promise<void> {
  await build({
    ...PROGRAM,
    entryPoints: COMMANDS.map((name) => path.join(ROOT, "scripts", `${name}.ts`)),
    outdir: path.join(TARGET, "commands"),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    // A native addon.
    external: ["@node-rs/argon2"],
  });
}

void runCommand(async () => {
  const services = new Services(130);
  const next = await services.start(() => startBuild({ env: { STANDALONE_BUILD: "1" } }));
  const code = await next.ended;
  if (code !== 0) return code;
  assembleFolder();
  await bundleCommands();
  return 0;
});
