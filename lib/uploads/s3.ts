import { AwsClient } from "aws4fetch";
import { env } from "@/lib/env";
import type { ImageStorage } from "./storage";

/** Milliseconds until the storage must have begun to answer. */
const PATIENCE = 10_000;
/** Again after a fault of the storage, so many times. */
const RETRIES = 2;

let open: { client: AwsClient; base: string; key: string } | undefined;

/** The bucket that the configuration names, and how requests to it are signed. */
function connection() {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  const endpoint = S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`;
  const base = `${endpoint.replace(/\/+$/, "")}/${S3_BUCKET}`;
  const key = [base, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY].join("\n");
  if (open?.key !== key) {
    const client = new AwsClient({
      accessKeyId: S3_ACCESS_KEY_ID ?? "",
      secretAccessKey: S3_SECRET_ACCESS_KEY ?? "",
      region: S3_REGION,
      service: "s3",
      retries: 0,
    });
    open = { client, base, key };
  }
  return open;
}

async function call({
  method,
  name,
  headers = {},
  body,
}: {
  method: "GET" | "HEAD" | "PUT";
  name: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}): Promise<Response> {
  const { client, base } = connection();
  const address = `${base}/${name.split("/").map(encodeURIComponent).join("/")}`;
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt === RETRIES;
    const signed = await client.sign(address, {
      method,
      headers,
      ...(body && { body: body as BodyInit }),
    });
    try {
      const response = await fetch(address, {
        method,
        headers: signed.headers,
        ...(body && { body: body as BodyInit }),
        cache: "no-store",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (response.status < 500 || isLast) return response;
      await response.body?.cancel();
    } catch (error) {
      if (isLast) throw error;
    }
  }
}

function unexpected({ method, name, status }: { method: string; name: string; status: number }) {
  return new Error(`The picture storage answered ${status} to ${method} ${name}.`);
}

/** Pictures in a bucket that speaks Amazon's S3, addressed by path. */
export function bucket(): ImageStorage {
  const read = async (name: string) => {
    const response = await call({ method: "GET", name });
    if (response.ok && response.body) return response;
    await response.body?.cancel();
    throw unexpected({ method: "GET", name, status: response.status });
  };
  return {
    async find(name, contentType) {
      const found = await call({ method: "HEAD", name });
      // A bucket whose contents the key may not list says 403 of what is not there.
      if (found.status === 404 || found.status === 403) return null;
      if (!found.ok) throw unexpected({ method: "HEAD", name, status: found.status });
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
      const headers = {
        "Content-Type": contentType,
        "Cache-Control": "public, max-age=31536000, immutable",
      };
      const response = await call({ method: "PUT", name, headers, body: bytes });
      await response.body?.cancel();
      if (!response.ok) throw unexpected({ method: "PUT", name, status: response.status });
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
