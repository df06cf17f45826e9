import { open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { etagOf, findFile, writeAtomically } from "@/lib/files";
import { withExactLength } from "./body";
import type { FileStorage } from "./storage";

/** Sold files in a folder of this machine. */
export function folder(root: string): FileStorage {
  return {
    async find(name) {
      const file = path.join(/* turbopackIgnore: true */ root, name);
      const found = await findFile(file);
      if (!found) return null;
      const { size } = found;
      const etag = etagOf(found);
      return {
        size,
        etag,
        async open({ range, signal }) {
          const { start, end } = range ?? { start: 0, end: size - 1 };
          const handle = await open(file);
          try {
            // It may have been replaced since.
            if (etagOf(await handle.stat()) !== etag) throw new Error(`${name} has just changed.`);
            const stream = handle.createReadStream({ start, end, signal });
            const bytes = Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
            return withExactLength({ bytes, length: end - start + 1 });
          } catch (error) {
            await handle.close();
            throw error;
          }
        },
      };
    },
    async add({ name, bytes }) {
      const file = path.join(/* turbopackIgnore: true */ root, name);
      if (!(await findFile(file))) await writeAtomically(file, bytes);
    },
  };
}
