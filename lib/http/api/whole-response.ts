import { createHash } from "node:crypto";
import { isNotModified } from "@/lib/http/etag";

/**
 * A response whose whole body is known. The server sends it as it is, without a stream, which would cost
 * more than most handlers; whoever reads it as a `Response`, such as Next.js, gets one.
 */
export class WholeResponse extends Response {
  private stream: Response | undefined;

  constructor(
    readonly content: string | Uint8Array,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  private asStream(): Response {
    this.stream ??= new Response(this.content as BodyInit);
    return this.stream;
  }

  override get body() {
    return this.asStream().body;
  }

  override text() {
    return this.asStream().text();
  }

  override json() {
    return this.asStream().json();
  }

  override arrayBuffer() {
    return this.asStream().arrayBuffer();
  }
}

/** A weak ETag: caches in front may compress the text. */
export const etagOf = (text: string): string =>
  `W/"${createHash("sha1").update(text).digest("base64url")}"`;

/** A text with its ETag; 304 for a client that has it already. */
export function revalidatedText({
  request,
  text,
  etag,
  headers,
}: {
  request: Request;
  text: string;
  etag: string;
  headers: Record<string, string>;
}): Response {
  const all = { ...headers, ETag: etag };
  const header = request.headers.get("if-none-match");
  if (isNotModified({ header, etag })) return new Response(null, { status: 304, headers: all });
  return new WholeResponse(text, { headers: all });
}
