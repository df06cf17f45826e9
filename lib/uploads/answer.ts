import { fail } from "@/lib/errors";
import { problem } from "@/lib/http/api/problem";
import { isNotModified } from "@/lib/http/etag";
import { BODY_LENGTH } from "@/lib/http/headers";
import { readImage } from "./storage";

/** Names are made of the content: what is at a URL never changes. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";

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
    // Opened by itself a file can neither run nor load anything.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  if (isNotModified({ header: request.headers.get("if-none-match"), etag: image.etag }))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : image.stream(), {
    headers: {
      ...headers,
      "Content-Type": image.contentType,
      [BODY_LENGTH]: String(image.size),
    },
  });
}
