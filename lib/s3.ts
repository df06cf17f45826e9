import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { env } from "@/lib/env";

// The bucket that the configuration names: anything that speaks Amazon's S3, addressed by path.
// Uploaded pictures lie at its top (lib/uploads), files for sale below `downloads/` (lib/downloads).

/** Milliseconds until the headers of the response. */
const TIMEOUT_MS = 10_000;
/** After a network error or 5xx. */
const RETRIES = 2;
/** Milliseconds before the first retry, at most; doubled for each further one. */
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
  /** The object's key. */
  key: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Ends the request and, afterwards, the answer's body. */
  signal?: AbortSignal;
  retries?: number;
}

/**
 * Sends a request to the bucket. The timeout is for the headers of the response; its body may take as
 * long as it is read.
 *
 * @returns any response, errors included
 * @throws where the bucket cannot be reached
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
 * What the bucket says of an object; null where there is none.
 *
 * @throws where the bucket does not say
 */
export async function findObject(key: string): Promise<Headers | null> {
  const request: S3Request = { method: "HEAD", key };
  const { status, ok, headers } = await send(request);
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
  const response = await send(request);
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
  const { ok, status, body } = await send(request);
  await body?.cancel();
  const isGone = request.method === "DELETE" && status === 404;
  if (!ok && !isGone) throw unexpectedAnswer(request, status);
}

function unexpectedAnswer({ method, key }: S3Request, status: number): Error {
  return new Error(`The bucket answered ${status} to ${method} ${key}.`);
}

/** The characters that `encodeURIComponent` leaves are percent-encoded in signatures, too. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
