import { createHash } from "node:crypto";
import { isNotModified } from "@/lib/http/etag";

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
  return new Response(text, { headers: all });
}
