import { askS3, type S3Request, unexpectedAnswer } from "@/lib/s3";
import type { ImageStorage } from "./storage";

/** Pictures in the bucket. */
export function bucket(): ImageStorage {
  const read = async (key: string) => {
    const request: S3Request = { method: "GET", key };
    const response = await askS3(request);
    if (response.ok && response.body) return response;
    await response.body?.cancel();
    throw unexpectedAnswer(request, response);
  };
  return {
    async find(name, contentType) {
      const request: S3Request = { method: "HEAD", key: name };
      const found = await askS3(request);
      // A bucket whose contents the key may not list says 403 of what is not there.
      if (found.status === 404 || found.status === 403) return null;
      if (!found.ok) throw unexpectedAnswer(request, found);
      const size = Number(found.headers.get("content-length"));
      return {
        contentType,
        size,
        etag: found.headers.get("etag") ?? `"${size.toString(36)}-${name.length}"`,
        stream: () => lazily(async () => (await read(name)).body as ReadableStream<Uint8Array>),
        bytes: async () => new Uint8Array(await (await read(name)).arrayBuffer()),
      };
    },
    async save({ name, contentType, bytes }) {
      const request: S3Request = {
        method: "PUT",
        key: name,
        headers: {
          "Content-Type": contentType,
          "Cache-Control": "public, max-age=31536000, immutable",
        },
        body: bytes,
      };
      const response = await askS3(request);
      await response.body?.cancel();
      if (!response.ok) throw unexpectedAnswer(request, response);
    },
    async remove(name) {
      // Once: the picture's row is held meanwhile, and looked at again tomorrow.
      const request: S3Request = { method: "DELETE", key: name, retries: 0 };
      const response = await askS3(request);
      await response.body?.cancel();
      if (!response.ok && response.status !== 404) throw unexpectedAnswer(request, response);
    },
  };
}

/** A stream that is opened when somebody begins to read it. */
function lazily(open: () => Promise<ReadableStream<Uint8Array>>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (await open()).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
