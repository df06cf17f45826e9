import { open, rm } from "node:fs/promises";
import path from "node:path";
import { ReadableStream as WebStream } from "node:stream/web";
import { withExactLength } from "@/lib/files/exact-length";
import { etagOf, findFile, removeTemporaryFiles, writeAtomically } from "@/lib/files/local-files";
import { findObject, openObject, putObject, removeObject } from "@/lib/files/s3";

// The storage of uploaded pictures and files for sale: a folder of this machine, or the bucket.

/** Both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file in its storage. It is not read before `open` is called. */
export interface StoredFile {
  /** Bytes. */
  size: number;
  /** Changes with the content; in quotes, as HTTP wants it. */
  etag: string;
  /**
   * The bytes of a range, or all of them, with backpressure.
   *
   * @param signal aborts the reading, even if the stream is never read
   * @throws if the file cannot be read, or no longer matches `etag`
   */
  open(request: {
    range?: ByteRange | null;
    signal: AbortSignal;
  }): Promise<ReadableStream<Uint8Array>>;
}

/** Names are relative paths, which the caller has checked. */
export interface FileStorage {
  find(name: string): Promise<StoredFile | null>;
  /** @param headers response headers that the bucket stores with the file */
  save(file: { name: string; bytes: Uint8Array; headers?: Record<string, string> }): Promise<void>;
  /** Succeeds if the file does not exist. */
  remove(name: string): Promise<void>;
  /** Removes temporary files of interrupted writes that are older than `before`; returns how many. */
  removeUnfinished(before: Date): Promise<number>;
}

/** Files in a folder of this machine. */
export function folder(root: string): FileStorage {
  const pathOf = (name: string) => path.join(/* turbopackIgnore: true */ root, name);
  return {
    async find(name) {
      const file = pathOf(name);
      const found = await findFile(file);
      if (!found) return null;
      const { size } = found;
      const etag = etagOf(found);
      return {
        size,
        etag,
        async open({ range, signal }) {
          const handle = await open(file);
          try {
            // The file may have been replaced since.
            if (etagOf(await handle.stat()) !== etag) throw new Error(`${name} has just changed.`);
            // Readable.toWeb is not used: when its stream is cancelled while bytes are under way, it throws
            // an error that nobody can catch (Node.js 20).
            const stream = handle.createReadStream({ ...range, signal });
            // Before the first read nothing else handles the error of an abort.
            stream.on("error", () => undefined);
            const bytes = WebStream.from(stream) as ReadableStream<Uint8Array>;
            return withExactLength({ bytes, length: lengthOf(range, size) });
          } catch (error) {
            await handle.close();
            throw error;
          }
        },
      };
    },
    save: ({ name, bytes }) => writeAtomically(pathOf(name), bytes),
    remove: (name) => rm(pathOf(name), { force: true }),
    removeUnfinished: (before) => removeTemporaryFiles({ folder: root, before }),
  };
}

/** Files in the bucket, below a prefix. */
export function bucket(prefix = ""): FileStorage {
  return {
    async find(name) {
      const key = prefix + name;
      const found = await findObject(key);
      if (!found) return null;
      const size = Number(found.get("content-length") ?? Number.NaN);
      if (!Number.isSafeInteger(size))
        throw new Error(`The bucket does not say how long ${key} is.`);
      const tag = found.get("etag");
      return {
        size,
        etag: tag ?? `"${size.toString(36)}-${found.get("last-modified")}"`,
        async open({ range, signal }) {
          const headers = {
            // The object may have been replaced since.
            ...(tag !== null && { "If-Match": tag }),
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          };
          const { body } = await openObject({ key, headers, signal });
          return withExactLength({ bytes: body, length: lengthOf(range, size) });
        },
      };
    },
    save: ({ name, bytes, headers = {} }) =>
      putObject({ key: prefix + name, headers, body: bytes }),
    // No retries: the picture's row is locked meanwhile, and the picture is checked again tomorrow.
    remove: (name) => removeObject({ key: prefix + name, retries: 0 }),
    // Objects are written atomically.
    removeUnfinished: async () => 0,
  };
}

const lengthOf = (range: ByteRange | null | undefined, size: number) =>
  range ? range.end - range.start + 1 : size;
