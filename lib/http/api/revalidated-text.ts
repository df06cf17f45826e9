import { createHash } from "node:crypto";
import { isNotModified } from "@/lib/http/etag";

/** Puts a text's ETag, which is computed once, on a line before it. It is weak: caches in front may compress the text. */
export const withEtag = (text: string): string =>
  `W/"${createHash("sha1").update(text).digest("base64url")}"\n${text}`;

/** The response with a text; 304 for a client that has it already. */
export function revalidatedText({
  request,
  textWithEtag,
  headers,
}: {
  request: Request;
  textWithEtag: string;
  headers: Record<string, string>;
}): Response {
  const end = textWithEtag.indexOf("\n");
  const etag = textWithEtag.slice(0, end);
  const all = { ...headers, ETag: etag };
  const header = request.headers.get("if-none-match");
  if (isNotModified({ header, etag })) return new Response(null, { status: 304, headers: all });
  return new Response(textWithEtag.slice(end + 1), { headers: all });
}
