import { createHash } from "node:crypto";
import { textResponse } from "@/lib/http/api/text-response";
import { isNotModified } from "@/lib/http/etag";

/**
 * A document that is rendered once per process, at its first request. Gives the function that answers
 * requests for it, with 304 where the client has it already.
 */
export function staticDocument({
  contentType,
  headers,
  render,
}: {
  contentType: string;
  headers?: Record<string, string>;
  render: () => string;
}): (request: Request) => Response {
  let made: { text: string; etag: string; headers: Record<string, string> } | undefined;
  return (request) => {
    if (!made) {
      const text = render();
      const etag = `W/"${createHash("sha1").update(text).digest("base64url")}"`;
      made = {
        text,
        etag,
        headers: {
          "Content-Type": contentType,
          "Cache-Control": "public, no-cache",
          ...headers,
          ETag: etag,
        },
      };
    }
    const header = request.headers.get("if-none-match");
    return isNotModified({ header, etag: made.etag })
      ? new Response(null, { status: 304, headers: made.headers })
      : textResponse(made.text, { headers: made.headers });
  };
}
