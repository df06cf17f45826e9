import { createReadStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { etagOf, findFile, removeTemporaryFiles, writeAtomically } from "@/lib/files";
import { log } from "@/lib/http/server/log";
import { lazyStream } from "@/lib/lazy-stream";
import { bucket } from "./s3";
import { CANNOT_KEEP } from "./texts";

/** The types that are served; not SVG, which can hold scripts. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
};

/** An uploaded picture. It is not opened before `stream` or `bytes` is called. */
export interface StoredImage {
  contentType: string;
  /** Bytes. */
  size: number;
  /** Changes with the content; in quotes, as HTTP wants it. */
  etag: string;
  stream(): ReadableStream<Uint8Array>;
  bytes(options?: { signal?: AbortSignal }): Promise<Uint8Array>;
}

/** Where uploads are kept. Names have been checked by `imageName`. */
export interface ImageStorage {
  find(name: string, contentType: string): Promise<StoredImage | null>;
  save(image: { name: string; contentType: string; bytes: Uint8Array }): Promise<void>;
  /** Succeeds where it does not exist. */
  remove(name: string): Promise<void>;
  /** Removes temporary files older than this; returns how many. */
  removeUnfinished(before: Date): Promise<number>;
}

/**
 * The name of a picture below /images, from a path's segments, a bare file name or `/images/…`;
 * null for everything that cannot be one: other types of files, other URLs, hidden files, paths out of
 * the folder, and the files for sale that share its bucket.
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
  return contentType ? storage().find(name, contentType) : null;
}

/**
 * Saves a picture under a name (see `imageName`). Names are made of the content: a file of this name is
 * the same picture.
 *
 * @throws 503 where it cannot be saved: disk full or read-only, bucket unreachable
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
    await storage().save({ name, contentType, bytes });
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

/** The one that the configuration names. */
function storage(): ImageStorage {
  if (env().S3_BUCKET) return bucket();
  return disk(path.resolve(/* turbopackIgnore: true */ env().UPLOADS_DIR));
}

/** Files of one folder. */
function disk(folder: string): ImageStorage {
  return {
    async find(name, contentType) {
      const file = path.join(/* turbopackIgnore: true */ folder, name);
      const found = await findFile(file);
      if (!found) return null;
      return {
        contentType,
        size: found.size,
        etag: etagOf(found),
        stream: () =>
          lazyStream(
            async () => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
          ),
        bytes: ({ signal } = {}) => readFile(file, { signal }),
      };
    },
    save: ({ name, bytes }) =>
      writeAtomically(path.join(/* turbopackIgnore: true */ folder, name), bytes),
    remove: (name) => rm(path.join(/* turbopackIgnore: true */ folder, name), { force: true }),
    removeUnfinished: (before) => removeTemporaryFiles({ folder, before }),
  };
}
