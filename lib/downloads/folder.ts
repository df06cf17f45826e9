import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { wholly } from "./body";
import type { FileStorage } from "./storage";

/** Sold files in a folder of this machine. */
export function folder(root: string): FileStorage {
  return {
    async find(name) {
      const file = path.join(/* turbopackIgnore: true */ root, name);
      const found = await stat(file).catch(nullIfMissing);
      if (!found?.isFile()) return null;
      const { size } = found;
      const etag = etagOf(found);
      return {
        size,
        etag,
        async open({ range, signal }) {
          const { start, end } = range ?? { start: 0, end: size - 1 };
          const handle = await open(file);
          try {
            // The one that is open now: it may have been exchanged since it was found.
            if (etagOf(await handle.stat()) !== etag) throw new Error(`${name} has just changed.`);
            const stream = handle.createReadStream({ start, end, signal });
            const bytes = Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
            return wholly({ bytes, length: end - start + 1 });
          } catch (error) {
            await handle.close();
            throw error;
          }
        },
      };
    },
    // Under another name first: nobody buys half a file, whatever happens meanwhile.
    async add({ name, bytes }) {
      const file = path.join(/* turbopackIgnore: true */ root, name);
      if (await stat(file).catch(nullIfMissing)) return;
      const unfinished = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(unfinished, bytes, { flag: "wx" });
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
  };
}

function etagOf({ size, mtime }: Stats): string {
  return `"${size.toString(36)}-${mtime.getTime().toString(36)}"`;
}

const MISSING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (MISSING.has(error.code ?? "")) return null;
  throw error;
}
