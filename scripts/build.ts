import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import { ROOT, runCommand } from "@/scripts/command";
import { type NodeChild, Services, startNode } from "@/scripts/services";

// npm run build – builds the shop, so that `npm start` need not. Needs no database.

/** Node.js's arguments for Next.js's own program. */
export const NEXT = [path.join(ROOT, "node_modules/next/dist/bin/next")];

/** Node.js's arguments for the server of a built shop, in the shop's folder. */
export const SERVER = ["server.mjs"];

const BUILD_ID = path.join(ROOT, ".next/BUILD_ID");
/** Contains the build's BUILD_ID and the hash of its sources. */
const STAMP = path.join(ROOT, ".next/shop-build");

/** Files that a build does not depend on. All others are sources. */
const NO_SOURCES =
  /^(?:bench|docs|e2e|node_modules|playwright-report|sandbox|scripts|test-results|db\/migrations\/meta|LICENSE|next-env\.d\.ts|(?:biome|drizzle\.config|playwright\.config)\..*)$|(?:^|\/)\.[^/]*$|\.(?:log|md|tsbuildinfo)$|\.(?:test|spec)\.tsx?$/;

/** The hash of all sources, names and contents. */
export function hashSources(): string {
  const hash = createHash("sha256");
  const visit = (folder: string) => {
    const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = path.posix.join(folder, entry.name);
      if (NO_SOURCES.test(name)) continue;
      if (entry.isDirectory()) visit(name);
      else {
        const content = readFileSync(path.join(ROOT, name));
        hash.update(`${name}\0${content.length}\0`).update(content);
      }
    }
  };
  visit("");
  return hash.digest("hex");
}

const stampOf = (sources: string) => `${readFileSync(BUILD_ID, "utf8")} ${sources}`;

/** Records that the present build was made of these sources. */
export function recordBuild(sources: string): void {
  writeFileSync(STAMP, stampOf(sources));
}

/** Is there a build of exactly these sources? */
export function isBuildFresh(): boolean {
  if (!existsSync(BUILD_ID) || !existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === stampOf(hashSources());
}

/** Starts Next.js's build. `ended` resolves to its exit code; after 0 the build is fresh. */
export async function startBuild(env: Record<string, string> = {}): Promise<NodeChild> {
  try {
    for (const file of [STAMP, BUILD_ID]) rmSync(file, { force: true });
  } catch {
    throw new OperatorError(
      `Le dossier ${path.dirname(BUILD_ID)} n'est pas accessible en écriture. Il appartient sans doute à un autre compte : relancez la boutique comme la première fois, ou supprimez ce dossier.`,
    );
  }
  // Before the build: a source that is edited while it runs makes it stale.
  const sources = hashSources();
  const build = startNode({
    args: [...NEXT, "build"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  const ended = build.ended.then((code) => {
    if (code !== 0) return code;
    // Without a BUILD_ID the build was interrupted.
    if (!existsSync(BUILD_ID)) return 1;
    recordBuild(sources);
    return 0;
  });
  return { ...build, ended };
}

if (path.basename(process.argv[1] ?? "") === "build.ts")
  void runCommand(async () => {
    const build = await new Services(130).start(startBuild);
    return build.ended;
  });
