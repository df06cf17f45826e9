import { lazyStream } from "@/lib/lazy-stream";
import { findObject, openObject, putObject, removeObject } from "@/lib/s3";
import type { ImageStorage } from "./storage";

/** Pictures in the bucket. */
export function bucket(): ImageStorage {
  return {
    async find(name, contentType) {
      const found = await findObject(name);
      if (!found) return null;
      const size = Number(found.get("content-length"));
      return {
        contentType,
        size,
        etag: found.get("etag") ?? `"${size.toString(36)}-${name.length}"`,
        stream: () => lazyStream(async () => (await openObject({ key: name })).body),
        async bytes({ signal } = {}) {
          const object = await openObject({ key: name, ...(signal && { signal }) });
          return new Uint8Array(await object.arrayBuffer());
        },
      };
    },
    save: ({ name, contentType, bytes }) =>
      putObject({
        key: name,
        headers: {
          "Content-Type": contentType,
          "Cache-Control": "public, max-age=31536000, immutable",
        },
        body: bytes,
      }),
    // Without retries: the picture's row is locked meanwhile, and checked again tomorrow.
    remove: (name) => removeObject({ key: name, retries: 0 }),
    // Objects are written atomically.
    removeUnfinished: async () => 0,
  };
}
