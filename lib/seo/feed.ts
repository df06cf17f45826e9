import { siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { MAX_ID } from "@/lib/http/api/ids";
import { problem } from "@/lib/http/api/problem";
import { escapeXml } from "@/lib/http/html";
import { rateLimiter } from "@/lib/http/rate-limit";
import { networkOf } from "@/lib/http/server/network";
import { textStream } from "@/lib/http/text-stream";
import { perProcess } from "@/lib/runtime/per-process";
import { type ActiveMethod, listActiveMethods } from "@/lib/shipping-methods/queries";
import { mainlandOffers, parcelOf } from "@/lib/shipping-methods/rules";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { imageUrls } from "./json-ld";
import { type FeedRow, listFeedProducts } from "./queries";
import { SHOP_DESCRIPTION } from "./texts";

// The feed of all products on sale, for merchant centres: RSS 2.0 with the namespace of Google Merchant Center,
// which Bing, Meta and comparison sites read, too.

/** Products read and sent at a time, which bounds the memory of the feed. */
const CHUNK = 50;
/** Most feeds that are sent at a time, to one network each: each reads the whole catalogue. */
const MAX_FEEDS = 2;
/** Slow readers must not keep others out: milliseconds for reading the next chunk, and for the whole feed. */
const MAX_PAUSE = 20_000;
const MAX_TIME = 15 * 60_000;

/** Google Merchant Center's limits, in characters and pictures. */
const MAX_TITLE = 150;
const MAX_MORE_IMAGES = 10;

/** A merchant centre reads the feed once a day; a stranger must not keep the database busy with it. */
const limiter = rateLimiter({ name: "product-feed", points: 20, duration: 3600 });

const ALREADY_SENT = "Ce flux vous est en train d'être envoyé. Réessayez dans une minute.";

const HEADERS = {
  "Content-Type": "application/rss+xml; charset=utf-8",
  // A CDN may cache it for an hour; this server generates it for each request.
  "Cache-Control": "public, max-age=0, s-maxage=3600, stale-while-revalidate=86400",
};

/** The networks that a feed is being sent to. */
const readers = perProcess("feed-readers", () => new Set<string>());

/**
 * The response to GET and HEAD /feed.xml. 429 for a network that asks too often, or while a feed is being sent to it;
 * 503 while too many are being sent.
 */
export async function answerFeed(request: Request): Promise<Response> {
  try {
    // Without a body nobody reads the feed to its end.
    if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
    const network = networkOf(request);
    await limiter.consume(network);
    if (readers.has(network)) throw fail.tooMany({ retryAfter: 60, text: ALREADY_SENT });
    if (readers.size >= MAX_FEEDS) throw fail.unavailable();
    const end = new AbortController();
    readers.add(network);
    end.signal.addEventListener("abort", () => readers.delete(network));
    return new Response(await textStream(feedXml(end)), { headers: HEADERS });
  } catch (error) {
    return problem(error, { request });
  }
}

/** The feed, read while the response is sent. It is broken off when `end` is aborted, and aborts it at its end. */
async function* feedXml(end: AbortController): AsyncGenerator<string> {
  const pause = setTimeout(() => end.abort(), MAX_PAUSE).unref();
  const total = setTimeout(() => end.abort(), MAX_TIME).unref();
  try {
    const methods = await listActiveMethods();
    yield channelHead();
    for (let after: number | undefined = 0; after !== undefined; ) {
      end.signal.throwIfAborted();
      const chunk = await listFeedProducts({ after, until: MAX_ID, limit: CHUNK });
      pause.refresh();
      yield chunk.map((product) => itemXml(product, methods)).join("");
      after = chunk.length === CHUNK ? chunk.at(-1)?.id : undefined;
    }
    yield "</channel>\n</rss>\n";
  } finally {
    clearTimeout(pause);
    clearTimeout(total);
    end.abort();
  }
}

const channelHead = () =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element("title", SHOP_NAME)}
${element("link", `${siteUrl()}/`)}
${element("description", SHOP_DESCRIPTION)}
`;

function itemXml(product: FeedRow, methods: readonly ActiveMethod[]): string {
  const { id, name, description, type, priceCents, gtin, brand, stock, weight } = product;
  const [image = "", ...more] = imageUrls(product.images.map((url) => ({ url })));
  const lines = [
    element("g:id", String(id)),
    element("title", [...name].slice(0, MAX_TITLE).join("")),
    element("description", description),
    element("link", `${siteUrl()}/product/${id}`),
    element("g:image_link", image),
    ...more.slice(0, MAX_MORE_IMAGES).map((url) => element("g:additional_image_link", url)),
    element("g:availability", stock === 0 ? "out_of_stock" : "in_stock"),
    element("g:price", amount(priceCents)),
    element("g:condition", "new"),
    element("g:product_type", product.category),
    ...(brand ? [element("g:brand", brand)] : []),
    gtin ? element("g:gtin", gtin) : element("g:identifier_exists", "no"),
    ...(weight === null ? [] : [element("g:shipping_weight", `${weight} g`)]),
    ...shippingOf({ type, priceCents, weight }, methods),
  ];
  return `<item>\n${lines.join("\n")}\n</item>\n`;
}

/** What each method to mainland France asks for one piece; a file costs nothing. */
function shippingOf(
  { type, priceCents, weight }: Pick<FeedRow, "type" | "priceCents" | "weight">,
  methods: readonly ActiveMethod[],
): string[] {
  const parcel = parcelOf([{ type, quantity: 1, priceCents, weight }]);
  const offers = parcel
    ? mainlandOffers(methods, parcel)
    : [{ name: "Téléchargement", offeredCents: 0 }];
  return offers.map(
    ({ name, offeredCents }) =>
      `<g:shipping>${element("g:country", "FR")}${element("g:service", name)}${element("g:price", amount(offeredCents))}</g:shipping>`,
  );
}

const amount = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;

/** Characters that XML 1.0 does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const element = (name: string, text: string) =>
  `<${name}>${escapeXml(text.replace(FORBIDDEN, ""))}</${name}>`;
