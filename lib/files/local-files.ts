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

const TEMPORARY = /^\.[\da-f-]{36}\.tmp$/;

/**
 * Writes a file, and creates its folder. Atomic, since a temporary file is renamed: readers find the whole
 * file or none.
 *
 * @param isPrivate only this system account may read the file, and the folder if it is created
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  { isPrivate = false }: { isPrivate?: boolean } = {},
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${randomUUID()}.tmp`);
  await mkdir(folder, { recursive: true, ...(isPrivate && { mode: 0o700 }) });
  try {
    await writeFile(temporary, content, { flag: "wx", ...(isPrivate && { mode: 0o600 }) });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Removes temporary files that `writeAtomically` has left in a folder when its process was killed.
 *
 * @param before newer files may still be in use
 * @returns how many were removed
 */
export async function removeTemporaryFiles({
  folder,
  before,
}: {
  folder: string;
  before: Date;
}): Promise<number> {
  let removed = 0;
  for await (const { name } of (await opendir(folder).catch(nullIfMissing)) ?? []) {
    if (!TEMPORARY.test(name)) continue;
    const file = path.join(folder, name);
    const found = await findFile(file);
    if (!found || found.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
