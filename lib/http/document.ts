import { createHash } from "node:crypto";

/**
 * A document that is made once per process, at its first request, and then only sent: the answer
 * to a request, or 304 to one that has it already.
 */
export function document({
  contentType,
  headers,
  make,
}: {
  contentType: string;
  headers?: Record<string, string>;
  make: () => string;
}): (request: Request) => Response {
  let made: { text: string; headers: Record<string, string> } | undefined;
  return (request) => {
    if (!made) {
      const text = make();
      const digest = createHash("sha1").update(text).digest("base64url");
      made = {
        text,
        headers: {
          ...headers,
          "Content-Type": contentType,
          "Cache-Control": "public, no-cache",
          ETag: `W/"${digest}"`,
        },
      };
    }
    return hasVersion(request, made.headers.ETag ?? "")
      ? new Response(null, { status: 304, headers: made.headers })
      : new Response(made.text, { headers: made.headers });
  };
}

/** Does the client have the version of that ETag? Compared weakly: a proxy may have changed it. */
export function hasVersion(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match");
  if (known === null) return false;
  return known.split(",").some((entry) => {
    const tag = entry.trim();
    return tag === "*" || tag === etag || `W/${tag}` === etag;
  });
}
