import { fail } from "@/lib/errors";
import { isKnownTag } from "@/lib/http/etag";
import { BODY_LENGTH } from "@/lib/http/headers";
import { problem } from "@/lib/http/problem";
import { readImage } from "./storage";

/** Uploads get a new name each: what is at an address never changes. */
const KEEP = "public, max-age=31536000, immutable";

type ImageRequest = { request: Request; file: readonly string[] };

/** The answer to GET or HEAD /images/{file}. */
export async function answerImage(asked: ImageRequest): Promise<Response> {
  try {
    return await imageResponse(asked);
  } catch (error) {
    return problem(error, asked);
  }
}

async function imageResponse({ request, file }: ImageRequest): Promise<Response> {
  const image = await readImage(file);
  if (!image) throw fail.notFound("Image introuvable.");
  const headers = {
    "Cache-Control": KEEP,
    ETag: image.etag,
    "X-Content-Type-Options": "nosniff",
    // Opened by itself a file can neither run nor load anything.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  if (isKnownTag({ header: request.headers.get("if-none-match"), etag: image.etag }))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : image.stream(), {
    headers: {
      ...headers,
      "Content-Type": image.contentType,
      [BODY_LENGTH]: String(image.size),
    },
  });
}
