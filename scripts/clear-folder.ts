import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Removes everything in the folder but the entry called `kept`; the folder may be missing. */
export function clearFolder({ folder, kept }: { folder: string; kept: string }): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name !== kept) rmSync(path.join(folder, name), { recursive: true, force: true });
}
