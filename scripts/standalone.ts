import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { startBuild } from "@/scripts/build";
import { ROOT, runCommand } from "@/scripts/command";
import { Services } from "@/scripts/services";

// npm run build:standalone – builds the shop into .next/shop, a folder that needs nothing but Node.js.
// The Docker image consists of it; `node server.mjs` starts it on any host.

const TARGET = path.join(ROOT, ".next/shop");

/** What Next.js leaves out of its standalone folder. Files that pages read by path: next.config.ts. */
const FROM_SOURCES = [
  ".next/static",
  "cache-handler.mjs",
  "cache-redis.mjs",
  "db/migrations",
  "lib/workarounds/next-cache-controls.mjs",
  "public",
  "server.mjs",
  // Next.js resolves these when it loads its configuration.
  "node_modules/next/dist/compiled/webpack",
  "node_modules/next/dist/compiled/@babel/runtime",
];

/** Bundled as `commands/db-migrate.cjs` etc. */
const COMMANDS = ["admin-create", "db-migrate", "db-seed", "links-void"];

function assembleFolder(): void {
  // .data stays: the uploads, files for sale and mails of a shop that runs in that folder.
  for (const name of existsSync(TARGET) ? readdirSync(TARGET) : [])
    if (name !== ".data") rmSync(path.join(TARGET, name), { recursive: true });
  const copy = (from: string, name: string) => {
    const target = path.join(TARGET, name);
    mkdirSync(path.dirname(target), { recursive: true });
    // Symbolic links between packages stay relative: the folder will be moved.
    cpSync(path.join(ROOT, from, name), target, { recursive: true, verbatimSymlinks: true });
  };
  copy(".next/standalone", "");
  for (const name of FROM_SOURCES) copy("", name);
}

const BUNDLE = { bundle: true, platform: "node", target: "node20", logLevel: "error" } as const;

void runCommand(async () => {
  const next = await new Services(130).start(() => startBuild({ STANDALONE_BUILD: "1" }));
  const code = await next.ended;
  if (code !== 0) return code;
  assembleFolder();
  // server.mjs reads it; server.js contains its own copy.
  await build({
    ...BUNDLE,
    entryPoints: [path.join(ROOT, "next.config.ts")],
    outfile: path.join(TARGET, "next.config.mjs"),
    format: "esm",
  });
  await build({
    ...BUNDLE,
    entryPoints: COMMANDS.map((name) => path.join(ROOT, "scripts", `${name}.ts`)),
    outdir: path.join(TARGET, "commands"),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    // A native addon.
    external: ["@node-rs/argon2"],
  });
  return 0;
});
