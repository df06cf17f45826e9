import { findObject, openObject, putObject } from "@/lib/s3";
import { withExactLength } from "./body";
import type { FileStorage, StoredFile } from "./storage";

/** Nothing below it is ever served as a picture: `imageName` in lib/uploads/storage.ts. */
const PREFIX = "downloads/";

/** Sold files in the bucket that has the uploaded pictures, below a prefix of their own. */
export function bucket(): FileStorage {
  return { find, add };
}

async function find(name: string): Promise<StoredFile | null> {
  const key = PREFIX + name;
  const found = await findObject(key);
  if (!found) return null;
  const size = Number(found.get("content-length") ?? Number.NaN);
  if (!Number.isSafeInteger(size)) throw new Error(`The bucket does not say how long ${key} is.`);
  const tag = found.get("etag");
  return {
    size,
    etag: tag ?? `"${size.toString(36)}-${found.get("last-modified")}"`,
    async open({ range, signal }) {
      const headers = {
        // It may have been replaced since.
        ...(tag !== null && { "If-Match": tag }),
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      };
      const { body } = await openObject({ key, headers, signal });
      return withExactLength({ bytes: body, length: range ? range.end - range.start + 1 : size });
    },
  };
}

async function add({ name, bytes }: Parameters<FileStorage["add"]>[0]): Promise<void> {
  if (!(await find(name))) await putObject({ key: PREFIX + name, body: bytes });
}
