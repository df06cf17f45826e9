import { askS3, type S3Request, unexpectedAnswer } from "@/lib/s3";
import { wholly } from "./body";
import type { FileStorage, StoredFile } from "./storage";

/** Nothing below it is ever served as a picture: `imageName` in lib/uploads/storage.ts. */
const PREFIX = "downloads/";

/** Sold files in the bucket that has the uploaded pictures, below a prefix of their own. */
export function bucket(): FileStorage {
  return { find, add };
}

async function find(name: string): Promise<StoredFile | null> {
  const key = PREFIX + name;
  const request: S3Request = { method: "HEAD", key };
  const found = await askS3(request);
  // A bucket whose contents the key may not list says 403 of what is not there.
  if (found.status === 404 || found.status === 403) return null;
  const size = Number(found.headers.get("content-length") ?? Number.NaN);
  if (!found.ok || !Number.isSafeInteger(size)) throw unexpectedAnswer(request, found);
  const tag = found.headers.get("etag");
  return {
    size,
    etag: tag ?? `"${size.toString(36)}-${found.headers.get("last-modified")}"`,
    open: ({ range, signal }) => read({ key, size, tag, range, signal }),
  };
}

async function read({
  key,
  size,
  tag,
  range,
  signal,
}: { key: string; size: number; tag: string | null } & Parameters<StoredFile["open"]>[0]): Promise<
  ReadableStream<Uint8Array>
> {
  const headers = {
    // It may have been exchanged since it was found.
    ...(tag !== null && { "If-Match": tag }),
    ...(range && { Range: `bytes=${range.start}-${range.end}` }),
  };
  const request: S3Request = { method: "GET", key, headers, signal };
  const response = await askS3(request);
  if (response.status !== (range ? 206 : 200) || !response.body) {
    await response.body?.cancel();
    throw unexpectedAnswer(request, response);
  }
  return wholly({ bytes: response.body, length: range ? range.end - range.start + 1 : size });
}

async function add({ name, bytes }: Parameters<FileStorage["add"]>[0]): Promise<void> {
  if (await find(name)) return;
  const request: S3Request = { method: "PUT", key: PREFIX + name, body: bytes };
  const response = await askS3(request);
  await response.body?.cancel();
  if (!response.ok) throw unexpectedAnswer(request, response);
}
