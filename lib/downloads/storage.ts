import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { env } from "@/lib/env";

/** A file that the shop sells. It is not opened before `stream` is called. */
export interface SoldFile {
  /** Without its folder. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
  /** The bytes from `start` to `end`, both included. */
  stream(range: { start: number; end: number }): ReadableStream<Uint8Array>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".epub": "application/epub+zip",
  ".flac": "audio/flac",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".otf": "font/otf",
  ".pdf": "application/pdf",
  ".wav": "audio/wav",
  ".zip": "application/zip",
};

/**
 * The file of this name in the folder of downloads, which no page and no other route serves; null
 * where there is none.
 *
 * @param name checked by `storedFileName` of lib/orders/download-link.ts
 */
export async function findSoldFile(name: string): Promise<SoldFile | null> {
  const folder = path.resolve(/* turbopackIgnore: true */ env().DOWNLOADS_DIR);
  const file = path.join(/* turbopackIgnore: true */ folder, name);
  const found = await stat(file).catch(nullIfMissing);
  if (!found?.isFile()) return null;
  return {
    name: path.basename(name),
    contentType: CONTENT_TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream",
    size: found.size,
    modifiedAt: found.mtime,
    stream: (range) =>
      Readable.toWeb(createReadStream(file, range)) as unknown as ReadableStream<Uint8Array>,
  };
}

const MISSING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (MISSING.has(error.code ?? "")) return null;
  throw error;
}
