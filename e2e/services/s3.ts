import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

// A fake of Amazon S3 for tests. It serves objects by path to requests with a valid Signature Version 4,
// and S3's error codes to others.

interface StoredObject {
  bytes: Buffer;
  contentType: string | undefined;
  cacheControl: string | undefined;
}

/** A download of an object, and its progress. */
interface Transfer {
  path: string;
  /** Bytes that the client has read, up to the socket's buffers. */
  sent: number;
  state: "under way" | "whole" | "broken off";
}

export interface S3Server {
  url: string;
  /** The environment variables with which a shop uses the bucket. */
  env: Record<
    "S3_ENDPOINT" | "S3_REGION" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
    string
  >;
  /** By `bucket/key`. */
  objects: Map<string, StoredObject>;
  /** Method and path of every request so far. */
  requests: string[];
  transfers: Transfer[];
  /** Answers the next `count` requests with 503. */
  failNext(count: number): void;
  /** Blocks requests of this method, without effect, until `release`. */
  hold(method: string): { count: () => number; release: () => void };
  stop(): Promise<void>;
}

interface Account {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

const CHUNK_BYTES = 65_536;

const ACCOUNT: Account = {
  accessKeyId: "AKTEST",
  secretAccessKey: "s3/cr+et",
  region: "eu-west-3",
};

/** Starts the server on a free port. */
export async function startS3({
  bucket = "boutique",
  ...given
}: Partial<Account> & { bucket?: string } = {}): Promise<S3Server> {
  const account = { ...ACCOUNT, ...given };
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const transfers: Transfer[] = [];
  let failures = 0;
  let held: { method: string; count: number; released: Promise<void> } | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", url = "/" } = request;
    requests.push(`${method} ${url}`);
    const refuse = (status: number, code: string) =>
      response.writeHead(status, { "Content-Type": "application/xml" }).end(`<Code>${code}</Code>`);
    if (failures > 0) {
      failures -= 1;
      return void refuse(503, "SlowDown");
    }
    const problem = signatureProblem({ request, body, account });
    if (problem) return void refuse(403, problem);
    if (held?.method === method) {
      held.count += 1;
      await held.released;
      if (response.destroyed) return;
    }
    const path = decodeURIComponent(url).slice(1);
    if (!path.startsWith(`${bucket}/`)) return void refuse(404, "NoSuchBucket");
    if (method === "PUT") {
      objects.set(path, {
        bytes: body,
        contentType: request.headers["content-type"],
        cacheControl: request.headers["cache-control"],
      });
      return void response.writeHead(200).end();
    }
    if (method === "DELETE") {
      objects.delete(path);
      return void response.writeHead(204).end();
    }
    const object = objects.get(path);
    if (!object) return void refuse(404, "NoSuchKey");
    await sendObject({ object, path, request, response, refuse, transfers });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: {
      S3_ENDPOINT: url,
      S3_REGION: account.region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
    objects,
    requests,
    transfers,
    failNext: (count) => {
      failures = count;
    },
    hold: (method) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = () => {
          held = undefined;
          resolve();
        };
      });
      const hold = { method, count: 0, released };
      held = hold;
      return { count: () => hold.count, release };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends an object, or the requested range. */
async function sendObject({
  object: { bytes, contentType },
  path,
  request: { method, headers },
  response,
  refuse,
  transfers,
}: {
  object: StoredObject;
  path: string;
  request: IncomingMessage;
  response: ServerResponse;
  refuse: (status: number, code: string) => void;
  /** Records the transfer. */
  transfers: Transfer[];
}): Promise<void> {
  const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
  const condition = headers["if-match"];
  if (condition !== undefined && condition !== etag) return refuse(412, "PreconditionFailed");
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const isRange = first !== undefined;
  const part = isRange ? bytes.subarray(Number(first), Number(last) + 1) : bytes;
  response.writeHead(isRange ? 206 : 200, {
    "Content-Type": contentType ?? "binary/octet-stream",
    "Content-Length": String(part.length),
    "Accept-Ranges": "bytes",
    ETag: etag,
    ...(isRange && { "Content-Range": `bytes ${first}-${last}/${bytes.length}` }),
  });
  if (method === "HEAD") return void response.end();
  const transfer: Transfer = { path, sent: 0, state: "under way" };
  transfers.push(transfer);
  function* chunks() {
    for (let at = 0; at < part.length; at += CHUNK_BYTES) {
      const chunk = part.subarray(at, at + CHUNK_BYTES);
      yield chunk;
      transfer.sent += chunk.length;
    }
  }
  try {
    await pipeline(Readable.from(chunks(), { objectMode: true, highWaterMark: 1 }), response);
    transfer.state = "whole";
  } catch {
    transfer.state = "broken off";
  }
}

/** S3's error code for a request's signature; null for a valid one. */
function signatureProblem({
  request,
  body,
  account,
}: {
  request: IncomingMessage;
  body: Buffer;
  account: Account;
}): string | null {
  const { headers, method = "GET", url = "/" } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!match) return "AccessDenied";
  const [, keyId, day = "", region = "", names = "", signature] = match;
  if (keyId !== account.accessKeyId) return "InvalidAccessKeyId";
  if (region !== account.region) return "AuthorizationHeaderMalformed";
  const date = String(headers["x-amz-date"]);
  const payload = String(headers["x-amz-content-sha256"]);
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body))
    return "XAmzContentSHA256Mismatch";
  const [path = "", query = ""] = url.split("?");
  const signedHeaders = names.split(";");
  if (!signedHeaders.includes("host") || !signedHeaders.includes("x-amz-date"))
    return "AccessDenied";
  const canonical = [
    method,
    path,
    query,
    ...signedHeaders.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    payload,
  ].join("\n");
  const text = [
    "AWS4-HMAC-SHA256",
    date,
    `${day}/${region}/s3/aws4_request`,
    sha256(canonical),
  ].join("\n");
  const key = ["s3", "aws4_request"].reduce(
    (signingKey, part) => hmac(signingKey, part),
    hmac(hmac(`AWS4${account.secretAccessKey}`, day), region),
  );
  return hmac(key, text).toString("hex") === signature ? null : "SignatureDoesNotMatch";
}
