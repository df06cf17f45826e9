import { revalidatedText, withEtag } from "@/lib/http/api/revalidated-text";

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
  render: () => string | Promise<string>;
}): (request: Request) => Promise<Response> {
  let made: Promise<string> | undefined;
  const all = { "Content-Type": contentType, "Cache-Control": "public, no-cache", ...headers };
  return async (request) => {
    made ??= Promise.resolve(render()).then(withEtag);
    return revalidatedText({ request, textWithEtag: await made, headers: all });
  };
}
