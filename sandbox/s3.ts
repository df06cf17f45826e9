import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

// A stand-in for Amazon's S3: objects by path, for requests that are signed as they must be
// (Signature Version 4). What is wrong about a request is refused with the codes of the real one.

export interface StoredObject {
  bytes: Buffer;
  contentType: string | undefined;
  cacheControl: string | undefined;
}

/** An object that was asked for, and how far its sending has come. */
export interface Transfer {
  path: string;
  /** Bytes that the receiver's network has taken. */
  sent: number;
  state: "under way" | "whole" | "broken off";
}

export interface S3Server {
  url: string;
  /** By `bucket/key`. */
  objects: Map<string, StoredObject>;
  /** Verb and path of every request so far. */
  requests: string[];
  transfers: Transfer[];
  /** The next so many requests are answered by 503. */
  failNext(count: number): void;
  /** Requests of this method wait, unanswered and without effect, until `release`. */
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

/** Bytes that are sent at once. */
const PIECE = 65_536;

/** Starts the server on a free port. */
export async function startS3({
  bucket,
  ...account
}: Account & { bucket: string }): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const transfers: Transfer[] = [];
  let failures = 0;
  let held: { method: string; count: number; isOver: Promise<void> } | undefined;

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
      await held.isOver;
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
    await send({ object, path, request, response, refuse });
  }

  async function send({
    object: { bytes, contentType },
    path,
    request: { method, headers },
    response,
    refuse,
  }: {
    object: StoredObject;
    path: string;
    request: IncomingMessage;
    response: ServerResponse;
    refuse: (status: number, code: string) => void;
  }): Promise<void> {
    const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
    const condition = headers["if-match"];
    if (condition !== undefined && condition !== etag) return refuse(412, "PreconditionFailed");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const isPart = first !== undefined;
    const part = isPart ? bytes.subarray(Number(first), Number(last) + 1) : bytes;
    response.writeHead(isPart ? 206 : 200, {
      "Content-Type": contentType ?? "binary/octet-stream",
      "Content-Length": String(part.length),
      "Accept-Ranges": "bytes",
      ETag: etag,
      ...(isPart && { "Content-Range": `bytes ${first}-${last}/${bytes.length}` }),
    });
    if (method === "HEAD") return void response.end();
    const transfer: Transfer = { path, sent: 0, state: "under way" };
    transfers.push(transfer);
    function* pieces() {
      for (let at = 0; at < part.length; at += PIECE) {
        const piece = part.subarray(at, at + PIECE);
        yield piece;
        transfer.sent += piece.length;
      }
    }
    try {
      await pipeline(Readable.from(pieces(), { objectMode: true, highWaterMark: 1 }), response);
      transfer.state = "whole";
    } catch {
      transfer.state = "broken off";
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    transfers,
    failNext: (count) => {
      failures = count;
    },
    hold: (method) => {
      let release = () => {};
      const isOver = new Promise<void>((resolve) => {
        release = () => {
          held = undefined;
          resolve();
        };
      });
      const hold = { method, count: 0, isOver };
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

/** What S3 would say against a request's signature; null for a good one. */
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
