import path from "node:path";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { bucket, type FileStorage, folder, type StoredFile } from "@/lib/files/storage";
import { log } from "@/lib/http/server/log";
import { CANNOT_KEEP } from "./texts";

/** The served types; not SVG, which can contain scripts. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
};

/** Names are digests of the content, so the content at a URL never changes. */
export const CACHE_CONTROL = "public, max-age=31536000, immutable";

export interface StoredImage extends StoredFile {
  contentType: string;
}

/**
 * The name of a picture below /images, from a path's segments, a bare file name or `/images/…`. Null for
 * other types of files, other URLs, hidden files, paths out of the folder, and the files for sale in the same
 * bucket.
 */
export function imageName(file: string | readonly string[]): string | null {
  const segments = typeof file === "string" ? file.replace(/^\/images\//, "").split("/") : file;
  const isPlain = segments.every((segment) =>
    /^[\p{L}\p{N}_][\p{L}\p{N} ._-]{0,199}$/u.test(segment),
  );
  if (!isPlain || segments.length === 0 || segments.length > 4) return null;
  if (segments[0]?.toLowerCase() === "downloads") return null;
  return contentTypeOf(segments.at(-1) ?? "") ? segments.join("/") : null;
}

/** The uploaded picture with this name (see `imageName`), or null. */
export async function readImage(file: string | readonly string[]): Promise<StoredImage | null> {
  const name = imageName(file);
  const contentType = name && contentTypeOf(name);
  const found = contentType ? await storage().find(name) : null;
  return found && contentType ? { ...found, contentType } : null;
}

/**
 * Saves a picture under a name (see `imageName`). Names are digests of the content: an existing file of this
 * name is the same picture.
 *
 * @throws 503 if it cannot be saved: disk full or read-only, bucket unreachable
 */
export async function saveImage({
  name,
  bytes,
}: {
  name: string;
  bytes: Uint8Array;
}): Promise<void> {
  const contentType = contentTypeOf(name);
  if (!contentType || imageName(name) !== name) throw new Error(`${name} is no picture's name.`);
  try {
    const headers = { "Content-Type": contentType, "Cache-Control": CACHE_CONTROL };
    await storage().save({ name, bytes, headers });
  } catch (error) {
    log.error({ err: error, name }, "picture not kept");
    throw fail.unavailable(CANNOT_KEEP);
  }
}

/** Removes a picture (see `imageName`), without retries: for lib/uploads/cleaning.ts. */
export async function removeImage(name: string): Promise<void> {
  if (imageName(name) !== name) throw new Error(`${name} is no picture's name.`);
  await storage().remove(name);
}

/** Removes temporary files of interrupted uploads: for lib/uploads/cleaning.ts. */
export const removeUnfinishedImages = (before: Date): Promise<number> =>
  storage().removeUnfinished(before);

function contentTypeOf(name: string): string | undefined {
  return CONTENT_TYPES[path.extname(name).slice(1).toLowerCase()];
}

/** The configured storage. */
function storage(): FileStorage {
  const { S3_BUCKET, UPLOADS_DIR } = env();
  return S3_BUCKET ? bucket() : folder(path.resolve(/* turbopackIgnore: true */ UPLOADS_DIR));
}
