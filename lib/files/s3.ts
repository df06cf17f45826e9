import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { env } from "@/lib/env";

// The configured bucket, on any server that speaks Amazon's S3, with path-style URLs. Uploaded pictures are
// at its top level (lib/uploads), files for sale below `downloads/` (lib/downloads).

/** Milliseconds until the headers of the response. */
const TIMEOUT_MS = 10_000;
/** After a network error or 5xx. */
const RETRIES = 2;
/** Milliseconds before the first retry, at most; doubled for each further retry. */
const BASE_BACKOFF_MS = 200;

/** Where the bucket is, and how requests to it are signed. */
function connection() {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  const endpoint = S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`;
  const client = new AwsClient({
    accessKeyId: S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? "",
    region: S3_REGION,
    service: "s3",
    retries: 0,
  });
  return { client, base: `${endpoint.replace(/\/+$/, "")}/${S3_BUCKET}` };
}

interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  key: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Aborts the request and, later, the reading of the response's body. */
  signal?: AbortSignal;
  retries?: number;
}

/**
 * Sends a request to the bucket. The timeout applies to the headers of the response; reading its body may
 * take longer.
 *
 * @returns any response, errors included
 * @throws if the bucket cannot be reached
 */
async function send({
  method,
  key,
  headers = {},
  body,
  signal,
  retries = RETRIES,
}: S3Request): Promise<Response> {
  const { client, base } = connection();
  const url = `${base}/${key.split("/").map(encodeSegment).join("/")}`;
  const content = body && { body: body as BodyInit };
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries;
    const signed = await client.sign(url, { method, headers, ...content });
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new Error(`No answer in ${TIMEOUT_MS} ms.`)),
      TIMEOUT_MS,
    );
    try {
      const response = await fetch(url, {
        method,
        headers: signed.headers,
        ...content,
        cache: "no-store",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      if (response.status < 500 || isLast) return response;
      await response.body?.cancel();
    } catch (error) {
      if (isLast || signal?.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    // Exponential, with jitter.
    const backoff = (0.5 + Math.random() / 2) * BASE_BACKOFF_MS * 2 ** attempt;
    await delay(backoff, undefined, { signal });
  }
}

/**
 * The headers of an object; null if it does not exist.
 *
 * @throws if the bucket cannot be reached, or answers with another error
 */
export async function findObject(key: string): Promise<Headers | null> {
  const request: S3Request = { method: "HEAD", key };
  const { status, ok, headers } = await send(request);
  // If the access key may not list the bucket, the bucket answers 403 for a missing object.
  if (status === 404 || status === 403) return null;
  if (!ok) throw unexpectedAnswer(request, status);
  return headers;
}

/**
 * Opens an object, or the range that the headers ask for. The caller reads the response's body.
 *
 * @throws if the bucket answers anything else
 */
export async function openObject(
  object: Pick<S3Request, "key" | "headers" | "signal">,
): Promise<Response & { body: ReadableStream<Uint8Array> }> {
  const request: S3Request = { ...object, method: "GET" };
  const response = await send(request);
  const wanted = object.headers?.Range ? 206 : 200;
  if (response.status === wanted && hasBody(response)) return response;
  await response.body?.cancel();
  throw unexpectedAnswer(request, response.status);
}

const hasBody = (response: Response): response is Response & { body: ReadableStream<Uint8Array> } =>
  response.body !== null;

/** Puts an object into the bucket. @throws if that fails */
export const putObject = (object: Pick<S3Request, "key" | "headers" | "body">): Promise<void> =>
  change({ ...object, method: "PUT" });

/** Removes an object; succeeds if it does not exist. @throws if it may still exist */
export const removeObject = (object: Pick<S3Request, "key" | "retries">): Promise<void> =>
  change({ ...object, method: "DELETE" });

async function change(request: S3Request): Promise<void> {
  const { ok, status, body } = await send(request);
  await body?.cancel();
  const isGone = request.method === "DELETE" && status === 404;
  if (!ok && !isGone) throw unexpectedAnswer(request, status);
}

function unexpectedAnswer({ method, key }: S3Request, status: number): Error {
  return new Error(`The bucket answered ${status} to ${method} ${key}.`);
}

/** S3's signatures also percent-encode the characters that `encodeURIComponent` leaves unchanged. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
