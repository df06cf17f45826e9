import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { mkdir, opendir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Size and times of a file; null where there is none. */
export async function findFile(file: string): Promise<Stats | null> {
  const found = await stat(file).catch(nullIfMissing);
  return found?.isFile() ? found : null;
}

const MISSING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (MISSING.has(error.code ?? "")) return null;
  throw error;
}

/** Changes with the file; in quotes, as HTTP wants it. */
export function etagOf({ size, mtime }: Stats): string {
  return `"${size.toString(36)}-${mtime.getTime().toString(36)}"`;
}

const UNFINISHED = /^\.[\da-f-]{36}\.tmp$/;

/**
 * Writes a file, and its folder, if need be. Under another name first: readers find the whole file or
 * none, whatever happens meanwhile.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  const unfinished = path.join(folder, `.${randomUUID()}.tmp`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(unfinished, content, { flag: "wx" });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Removes what `writeWhole` has left in a folder where its process was ended meanwhile.
 *
 * @param before what has been changed since may be being written
 * @returns how many files that were
 */
export async function removeUnfinished({
  folder,
  before,
}: {
  folder: string;
  before: Date;
}): Promise<number> {
  let removed = 0;
  for await (const { name } of (await opendir(folder).catch(nullIfMissing)) ?? []) {
    if (!UNFINISHED.test(name)) continue;
    const file = path.join(folder, name);
    const found = await findFile(file);
    if (!found || found.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
