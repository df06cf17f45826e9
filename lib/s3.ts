import { AwsClient } from "aws4fetch";
import { env } from "@/lib/env";

// The bucket that the configuration names: anything that speaks Amazon's S3, addressed by path.
// Uploaded pictures lie at its top (lib/uploads), files for sale below `downloads/` (lib/downloads).

/** Milliseconds until the storage must have begun to answer. */
const PATIENCE = 10_000;
/** Again after a fault of the storage, so many times. */
const RETRIES = 2;

let open: { client: AwsClient; base: string; key: string } | undefined;

/** Where the bucket is, and how requests to it are signed. */
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

interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** The object's key. */
  key: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Ends the request and, afterwards, the answer's body. */
  signal?: AbortSignal;
  /** Again after a fault of the storage, so many times. */
  retries?: number;
}

/**
 * Asks the bucket. Only the beginning of the answer has a time limit: how long its body takes is up
 * to whoever reads it.
 *
 * @returns whatever it answers, refusals included
 * @throws where it cannot be reached
 */
async function ask({
  method,
  key,
  headers = {},
  body,
  signal,
  retries = RETRIES,
}: S3Request): Promise<Response> {
  const { client, base } = connection();
  const address = `${base}/${key.split("/").map(encodeSegment).join("/")}`;
  const content = body && { body: body as BodyInit };
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries;
    const signed = await client.sign(address, { method, headers, ...content });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer in ${PATIENCE} ms.`)), PATIENCE);
    try {
      const response = await fetch(address, {
        method,
        headers: signed.headers,
        ...content,
        cache: "no-store",
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      if (response.status < 500 || isLast) return response;
      await response.body?.cancel();
    } catch (error) {
      if (isLast || signal?.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * What the bucket says of an object; null where there is none.
 *
 * @throws where the bucket does not say
 */
export async function findObject(key: string): Promise<Headers | null> {
  const request: S3Request = { method: "HEAD", key };
  const { status, ok, headers } = await ask(request);
  // A bucket whose contents the key may not list says 403 of what is not there.
  if (status === 404 || status === 403) return null;
  if (!ok) throw unexpectedAnswer(request, status);
  return headers;
}

/**
 * An object, or the part of it that the headers ask for, as an answer whose body is still to be read.
 *
 * @throws where the bucket answers anything else
 */
export async function openObject(
  object: Pick<S3Request, "key" | "headers" | "signal">,
): Promise<Response & { body: ReadableStream<Uint8Array> }> {
  const request: S3Request = { ...object, method: "GET" };
  const response = await ask(request);
  const wanted = object.headers?.Range ? 206 : 200;
  if (response.status === wanted && hasBody(response)) return response;
  await response.body?.cancel();
  throw unexpectedAnswer(request, response.status);
}

const hasBody = (response: Response): response is Response & { body: ReadableStream<Uint8Array> } =>
  response.body !== null;

/** Puts an object into the bucket. @throws where it has not been put there */
export const putObject = (object: Pick<S3Request, "key" | "headers" | "body">): Promise<void> =>
  change({ ...object, method: "PUT" });

/** Removes an object; one that is not there is removed already. @throws where it may still be there */
export const removeObject = (object: Pick<S3Request, "key" | "retries">): Promise<void> =>
  change({ ...object, method: "DELETE" });

async function change(request: S3Request): Promise<void> {
  const { ok, status, body } = await ask(request);
  await body?.cancel();
  const isGone = request.method === "DELETE" && status === 404;
  if (!ok && !isGone) throw unexpectedAnswer(request, status);
}

/** What to throw for an answer that is neither yes nor no. */
function unexpectedAnswer({ method, key }: S3Request, status: number): Error {
  return new Error(`The bucket answered ${status} to ${method} ${key}.`);
}

/** The characters that `encodeURIComponent` leaves are percent-encoded in signatures, too. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
