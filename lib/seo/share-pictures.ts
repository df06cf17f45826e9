import { LRUCache } from "lru-cache";
import { getProduct } from "@/lib/catalogue/product-rows";
import { fail } from "@/lib/errors/failure";
import { parseId } from "@/lib/http/api/ids";
import { problem } from "@/lib/http/api/problem";
import { isNotModified } from "@/lib/http/etag";
import { BODY_LENGTH } from "@/lib/http/headers";
import { formatEuros } from "@/lib/money";
import { cardVersion } from "./rules";
import { drawProductCard, drawSiteCard } from "./share-card";

// Rendering a picture takes tens of milliseconds of CPU time, and anybody may request one. So a bounded
// queue renders one at a time, and the latest pictures are cached.
const KEPT_BYTES = 4 * 1024 * 1024;
const MAX_WAITING = 32;

const CACHE_CONTROL = "public, max-age=86400, stale-while-revalidate=604800";

const pictures = new LRUCache<string, Uint8Array>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (picture) => picture.byteLength,
});
/** Queued and running renderings, by version. */
const drawings = new Map<string, Promise<Uint8Array>>();
let queue: Promise<unknown> = Promise.resolve();

/** The response to GET /og/product/{id}. The version in the URL only bypasses caches. */
export async function answerProductPicture({
  request,
  id,
}: {
  request: Request;
  id: string;
}): Promise<Response> {
  return answer(request, async () => {
    const number = parseId(id);
    const product = number === null ? null : await getProduct(number);
    if (!product) throw fail.notFound("Ce produit n'existe pas.");
    const { name, priceCents, image } = product;
    const card = { name, price: formatEuros(priceCents), image };
    return { version: cardVersion(card), draw: () => drawProductCard(card) };
  });
}

/** The response to GET /og/site. */
export async function answerSitePicture(request: Request): Promise<Response> {
  return answer(request, async () => ({ version: "site", draw: drawSiteCard }));
}

type Drawing = { version: string; draw: () => Promise<Uint8Array> };

async function answer(request: Request, find: () => Promise<Drawing>): Promise<Response> {
  try {
    const { version, draw } = await find();
    const headers = { ETag: `"${version}"`, "Cache-Control": CACHE_CONTROL };
    const known = request.headers.get("if-none-match");
    if (isNotModified({ header: known, etag: headers.ETag }))
      return new Response(null, { status: 304, headers });
    const picture = await drawOnce({ version, draw });
    return new Response(picture as BodyInit, {
      headers: {
        ...headers,
        "Content-Type": "image/jpeg",
        [BODY_LENGTH]: String(picture.byteLength),
      },
    });
  } catch (error) {
    return problem(error, { request });
  }
}

/** The picture from the cache, or rendered after the queue. */
function drawOnce({ version, draw }: Drawing): Promise<Uint8Array> | Uint8Array {
  const kept = pictures.get(version) ?? drawings.get(version);
  if (kept) return kept;
  if (drawings.size >= MAX_WAITING) throw fail.unavailable();
  const drawing = queue.then(draw).then((picture) => {
    pictures.set(version, picture);
    return picture;
  });
  drawings.set(version, drawing);
  queue = drawing.catch(() => {}).then(() => drawings.delete(version));
  return drawing;
}
