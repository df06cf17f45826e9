import path from "node:path";
import { env } from "@/lib/env";
import { bucket, type FileStorage, folder, type StoredFile } from "@/lib/files/storage";

export interface SoldFile extends StoredFile {
  /** Without its folder. */
  name: string;
  contentType: string;
}

/**
 * The prefix in the bucket. Nothing below it is served as a picture (`imageName` in
 * lib/uploads/storage.ts).
 */
const PREFIX = "downloads/";

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
 * The file for sale of this name; null if there is none. No page and no other route serves it. With a
 * bucket, the bucket is searched first, then the folder.
 *
 * @param name checked by `storedFileName` of lib/files/sold-file.ts
 * @throws if the storage does not respond
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
  const [storage] = storages();
  if (!(await storage.find(file.name))) await storage.save(file);
}

/** The configured storages, in the order in which they are searched. */
function storages(): [FileStorage, ...FileStorage[]] {
  const { S3_BUCKET, DOWNLOADS_DIR } = env();
  const local = folder(path.resolve(/* turbopackIgnore: true */ DOWNLOADS_DIR));
  return S3_BUCKET ? [bucket(PREFIX), local] : [local];
}

/** "é" is one code point (NFC) or two (NFD): macOS writes names in one form, browsers send the other. */
function spellings(name: string): Set<string> {
  return new Set([name, name.normalize("NFC"), name.normalize("NFD")]);
}

function typeOf(name: string): string {
  return CONTENT_TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream";
}
