import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { type NodeChild, startNode } from "@/scripts/child";
import { ROOT } from "@/scripts/command";
import { NEXT_PROGRAM } from "@/scripts/server-program";

const STAMP = path.join(ROOT, ".next/shop-build.json");
const BUILD_ID = path.join(ROOT, ".next/BUILD_ID");

/** What a build does not depend on; anything else in the folder is a source. */
const IGNORED_FOLDERS = new Set([
  "bench",
  "deploy",
  "docs",
  "e2e",
  "node_modules",
  "playwright-report",
  "scripts",
  "test-results",
]);
const IGNORED_FILES =
  /^(?:\.|biome\.json$|drizzle\.config\.|playwright\.config\.|next-env\.d\.ts$|LICENSE)|\.(?:log|md|tsbuildinfo)$|\.(?:test|spec)\.tsx?$/;

interface Stamp {
  /** Next.js's BUILD_ID: a build made without this script has another one. */
  buildId: string;
  /** SHA-256 of all sources' contents. */
  hash: string;
  /** Path → mtime and size: while these are the same, the contents are not read. */
  files: Record<string, string>;
}

function listSources(folder = ""): string[] {
  const paths: string[] = [];
  for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    const relative = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      const isIgnored = entry.name.startsWith(".") || (!folder && IGNORED_FOLDERS.has(entry.name));
      if (!isIgnored) paths.push(...listSources(relative));
    } else if (!IGNORED_FILES.test(entry.name)) paths.push(relative);
  }
  return paths.sort();
}

function readMarks(): Record<string, string> {
  const marks: Record<string, string> = {};
  for (const file of listSources()) {
    const stats = statSync(path.join(ROOT, file), { throwIfNoEntry: false });
    if (stats) marks[file] = `${stats.mtimeMs}/${stats.size}`;
  }
  return marks;
}

function hashContents(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(path.join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function readStamp(): Stamp | null {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, "utf8")) as Stamp;
    return stamp.buildId === readFileSync(BUILD_ID, "utf8") ? stamp : null;
  } catch {
    return null;
  }
}

/** In a read-only folder nothing is written, and the next start hashes the sources again. */
function writeStamp(stamp: Stamp): void {
  try {
    writeFileSync(STAMP, JSON.stringify(stamp));
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw error;
    }
  }
}

/** Is there a build of exactly these sources, this configuration and these packages? */
export function isBuildFresh(): boolean {
  const stamp = readStamp();
  if (!stamp) return false;
  const files = readMarks();
  const names = Object.keys(files);
  if (
    names.length === Object.keys(stamp.files).length &&
    names.every((name) => files[name] === stamp.files[name])
  ) {
    return true;
  }
  if (hashContents(names) !== stamp.hash) return false;
  writeStamp({ ...stamp, files });
  return true;
}

/** A snapshot of all sources, to be recorded once a build of them has succeeded. */
export function readSources(): Pick<Stamp, "hash" | "files"> {
  const files = readMarks();
  return { hash: hashContents(Object.keys(files)), files };
}

/** Records that the present build was made of these sources. */
export function recordBuild(sources: Pick<Stamp, "hash" | "files">): void {
  writeStamp({ buildId: readFileSync(BUILD_ID, "utf8"), ...sources });
}

/**
 * Starts Next.js's build. `ended` resolves to its exit code; after 0 the
 * build is fresh.
 */
export async function startBuild({
  env = {},
}: {
  env?: Record<string, string>;
} = {}): Promise<NodeChild> {
  try {
    for (const file of [STAMP, BUILD_ID]) rmSync(file, { force: true });
  } catch {
    throw new OperatorError(
      `Le dossier ${path.dirname(BUILD_ID)} n'est pas accessible en écriture. Il appartient sans doute à un autre compte : relancez la boutique comme la première fois, ou supprimez ce dossier.`,
    );
  }
  // Before the build: a source that is edited while it runs makes it stale.
  const sources = readSources();
  const build = startNode({
    args: [...NEXT_PROGRAM, "build"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  const ended = build.ended.then((code) => {
    if (code !== 0) return code;
    // Whatever the exit code, without a BUILD_ID the build was interrupted.
    if (!existsSync(BUILD_ID)) return 1;
    recordBuild(sources);
    return 0;
  });
  return { ...build, ended };
}
