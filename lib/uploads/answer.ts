import { fail } from "@/lib/errors/failure";
import { problem } from "@/lib/http/api/problem";
import { isNotModified } from "@/lib/http/etag";
import { BODY_LENGTH } from "@/lib/http/headers";
import { CACHE_CONTROL, readImage } from "./storage";

type ImageRequest = { request: Request; file: readonly string[] };

/** The response to GET or HEAD /images/{file}. */
export const answerImage = (options: ImageRequest): Promise<Response> =>
  imageResponse(options).catch((error: unknown) => problem(error, options));

async function imageResponse({ request, file }: ImageRequest): Promise<Response> {
  const image = await readImage(file);
  if (!image) throw fail.notFound("Image introuvable.");
  const headers = {
    "Cache-Control": CACHE_CONTROL,
    ETag: image.etag,
    "X-Content-Type-Options": "nosniff",
    // A picture opened as a page can neither run scripts nor load anything.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  if (isNotModified({ header: request.headers.get("if-none-match"), etag: image.etag }))
    return new Response(null, { status: 304, headers });
  // Open the file before the response begins, so that an error becomes a status.
  const body = request.method === "HEAD" ? null : await image.open({ signal: request.signal });
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": image.contentType,
      [BODY_LENGTH]: String(image.size),
    },
  });
}
