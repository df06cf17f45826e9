import path from "node:path";
import { env } from "@/lib/env";
import { bucket } from "./bucket";
import { folder } from "./folder";
import type { ByteRange } from "./range";

/** A sold file in its storage. It is not read before `open` is called. */
export interface StoredFile {
  /** Bytes. */
  size: number;
  /** Changes with the content; in quotes, as HTTP wants it. */
  etag: string;
  /**
   * The bytes of a range, or all of them, with backpressure.
   *
   * @param signal aborts the reading, also where the stream is never read
   * @throws where they cannot be read, or no longer match `etag`
   */
  open(request: {
    range: ByteRange | null;
    signal: AbortSignal;
  }): Promise<ReadableStream<Uint8Array>>;
}

export interface SoldFile extends StoredFile {
  /** Without its folder. */
  name: string;
  contentType: string;
}

/** Where sold files are kept. Names have been checked by `storedFileName`. */
export interface FileStorage {
  find(name: string): Promise<StoredFile | null>;
  /** Adds a file; an existing one of this name stays. */
  add(file: { name: string; bytes: Uint8Array }): Promise<void>;
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
 * The file of this name, which no page and no other route serves; null where there is none. With a
 * bucket it comes from there; what is not in it yet is looked for in the folder.
 *
 * @param name checked by `storedFileName` of lib/sold-file.ts
 * @throws where the storage does not respond
 */
export async function findSoldFile(name: string): Promise<SoldFile | null> {
  for (const storage of storages())
    for (const spelling of spellings(name)) {
      const found = await storage.find(spelling);
      if (found) return { ...found, name: path.basename(spelling), contentType: typeOf(spelling) };
    }
  return null;
}

/** Adds a file for sale to the first storage; an existing one of this name stays. */
export async function addSoldFile(file: { name: string; bytes: Uint8Array }): Promise<void> {
  await storages()[0].add(file);
}

/** The configured ones, in the order in which they are searched. */
function storages(): [FileStorage, ...FileStorage[]] {
  const { S3_BUCKET, DOWNLOADS_DIR } = env();
  const local = folder(path.resolve(/* turbopackIgnore: true */ DOWNLOADS_DIR));
  return S3_BUCKET ? [bucket(), local] : [local];
}

/** "é" is one code point (NFC) or two (NFD): macOS writes names in one form, browsers send the other. */
function spellings(name: string): Set<string> {
  return new Set([name, name.normalize("NFC"), name.normalize("NFD")]);
}

function typeOf(name: string): string {
  return CONTENT_TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream";
}
