import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { startBuild } from "@/scripts/build";
import { NEXT_CONFIGURATION, PROGRAM } from "@/scripts/bundle";
import { ROOT, runCommand } from "@/scripts/command";
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

function assembleFolder(): void {
  // .data stays: the uploads, files for sale and mails of a shop that runs in that folder.
  for (const name of existsSync(TARGET) ? readdirSync(TARGET) : [])
    if (name !== ".data") rmSync(path.join(TARGET, name), { recursive: true });
  const copy = (from: string, name: string) => {
    const target = path.join(TARGET, name);
    mkdirSync(path.dirname(target), { recursive: true });
    // Symbolic links between packages stay relative: the folder will be moved.
    cpSync(path.join(from, name), target, { recursive: true, verbatimSymlinks: true });
  };
  for (const name of FROM_TRACED) copy(TRACED, name);
  for (const name of FROM_SOURCES) copy(ROOT, name);
}

void runCommand(async () => {
  const next = await new Services(130).start(() => startBuild({ STANDALONE_BUILD: "1" }));
  const code = await next.ended;
  if (code !== 0) return code;
  assembleFolder();
  await build({
    ...PROGRAM,
    entryPoints: COMMANDS.map((name) => path.join(ROOT, "scripts", `${name}.ts`)),
    outdir: path.join(TARGET, "commands"),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    // A native addon.
    external: ["@node-rs/argon2"],
  });
  return 0;
});
