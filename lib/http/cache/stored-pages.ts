import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { rangesOf } from "@/lib/http/api/negotiate";
import {
  type PageEntry,
  type RequestContext,
  requestContextOf,
} from "@/lib/http/server/request-context";

// A cached public page that Next.js has sent once is sent without it from then on, in gzip as it is
// stored, until it expires: docs/decisions/048.

/** Paths of pages that are the same for everyone; deploy/varnish/default.vcl lists them, too. */
const PUBLIC_PAGE =
  /^\/(?:product\/[^/?]+|products|contact|mentions-legales|conditions-generales-de-vente)?(?:\?|$)/;

/** Headers by which Next.js's router (or a client that imitates it) asks for something else than the document. */
const ROUTER_HEADERS =
  /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-matched-path$|x-now-|x-prerender-)/;

/** Longer URLs are no links of the shop, and clients could fill the memory with them. */
const MAX_URL_LENGTH = 300;
const MAX_URLS = 10_000;

const STORE = Symbol.for("mini-ecommerce.cache");
/** Of cache-handler.mjs: null for a page that is not cached or has expired. */
const shared = globalThis as { [STORE]?: { get(key: string): PageEntry | null } };

/** The cache key of the page at a URL. */
const keyByUrl = new LRUCache<string, string>({ max: MAX_URLS });
/** The headers with which Next.js has sent a page. */
const headersByPage = new WeakMap<PageEntry, OutgoingHttpHeaders>();

interface StoredPage {
  entry: PageEntry;
  headers: OutgoingHttpHeaders;
}

/** Sends the cached page that a request asks for; false where Next.js has to find or render it. */
export function sendStoredPage(request: IncomingMessage, response: ServerResponse): boolean {
  const context = requestContextOf(response);
  if (!context || !isDocumentRequest(request)) return false;
  const url = request.url ?? "/";
  const page = findPage(url);
  if (page) sendPage({ request, response, context, page });
  else context.documentUrl = url;
  return page !== null;
}

/** Does it ask for the document of a public page, for which the URL alone decides? */
export function isDocumentRequest({
  method,
  url = "",
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (url.length > MAX_URL_LENGTH || !PUBLIC_PAGE.test(url)) return false;
  for (const name in headers) if (ROUTER_HEADERS.test(name)) return false;
  return true;
}

/** The cached page at a URL; null where Next.js has to find or render it. */
function findPage(url: string): StoredPage | null {
  const key = keyByUrl.get(url);
  const entry = key === undefined ? null : shared[STORE]?.get(key);
  const headers = entry && headersByPage.get(entry);
  if (!entry || !headers) return null;
  const { revalidate } = entry.cacheControl ?? {};
  // By the clock that cache-handler.mjs and Next.js use.
  const age = performance.timeOrigin + performance.now() - entry.lastModified;
  return typeof revalidate === "number" && age > revalidate * 1000 ? null : { entry, headers };
}

/** Remembers how Next.js sends a cached page; to be called when its headers are complete. */
export function rememberStoredPage(
  response: ServerResponse,
  { documentUrl, page }: RequestContext,
): void {
  if (documentUrl === undefined || !page?.value.document) return;
  if (response.statusCode !== 200 || response.getHeader("x-nextjs-cache") !== "HIT") return;
  keyByUrl.set(documentUrl, page.key);
  if (!headersByPage.has(page)) headersByPage.set(page, response.getHeaders());
}

function sendPage({
  request,
  response,
  context,
  page: { entry, headers },
}: {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  page: StoredPage;
}): void {
  // For the headers of cached pages (cached-page-headers.ts).
  context.page = entry;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, value);
  const isGzip = acceptsGzip(request.headers["accept-encoding"]);
  if (isGzip) response.setHeader("Content-Encoding", "gzip");
  const document = entry.value.document?.({ isGzip });
  response.setHeader("Content-Length", document?.length ?? 0);
  response.end(request.method === "HEAD" ? undefined : document);
}

/** Does an `Accept-Encoding` header name gzip, or anything, and not to refuse it (`q=0`)? */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const ranges = rangesOf([header ?? ""].flat().join(","));
  const rangeOf = (coding: string) => ranges.find(({ range }) => range === coding);
  return ((rangeOf("gzip") ?? rangeOf("*"))?.q ?? 0) > 0;
}
