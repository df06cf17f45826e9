import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { env } from "@/lib/env";
import type { Env } from "@/lib/env-schema";
import { log } from "@/lib/http/server/log";

type FolderName = "UPLOADS_DIR" | "DOWNLOADS_DIR" | "MAIL_DIR";

/** Without `recursive`: below /proc, for instance, Node.js (20 to 26) would never return. */
function makeFolder(folder: string, mode?: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  mkdirSync(folder, mode);
}

/** The folders that the configuration needs but that are unusable, each with the system's reason. */
export function findUnusableFolders(
  settings: Pick<Env, FolderName | "S3_BUCKET" | "RESEND_API_KEY">,
): { variable: FolderName; folder: string; err: unknown }[] {
  const { S3_BUCKET, RESEND_API_KEY } = settings;
  const { R_OK, W_OK, X_OK } = constants;
  const used: { variable: FolderName; mode: number }[] = [];
  if (S3_BUCKET === undefined)
    used.push(
      { variable: "UPLOADS_DIR", mode: W_OK | X_OK },
      // Files are put there by hand; the shop only reads them.
      { variable: "DOWNLOADS_DIR", mode: R_OK | X_OK },
    );
  if (RESEND_API_KEY === undefined) used.push({ variable: "MAIL_DIR", mode: W_OK | X_OK });
  return used.flatMap(({ variable, mode }) => {
    const folder = path.resolve(/* turbopackIgnore: true */ settings[variable]);
    try {
      // Mails hold links that open accounts.
      makeFolder(folder, variable === "MAIL_DIR" ? 0o700 : undefined);
      accessSync(folder, mode);
      return [];
    } catch (err) {
      return [{ variable, folder, err }];
    }
  });
}

/** Called at the start. The shop works without these folders, except for their content. */
export function warnOfUnusableFolders(): void {
  for (const facts of findUnusableFolders(env())) log.warn(facts, "folder cannot be used");
}
