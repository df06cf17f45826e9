import { createHash } from "node:crypto";
import { isKnownTag } from "@/lib/http/etag";

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
  let made: { text: string; etag: string; headers: Record<string, string> } | undefined;
  return (request) => {
    if (!made) {
      const text = make();
      const etag = `W/"${createHash("sha1").update(text).digest("base64url")}"`;
      made = {
        text,
        etag,
        headers: {
          ...headers,
          "Content-Type": contentType,
          "Cache-Control": "public, no-cache",
          ETag: etag,
        },
      };
    }
    const header = request.headers.get("if-none-match");
    return isKnownTag({ header, etag: made.etag })
      ? new Response(null, { status: 304, headers: made.headers })
      : new Response(made.text, { headers: made.headers });
  };
}
