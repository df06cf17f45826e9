import type { OutgoingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { rangesOf } from "@/lib/http/api/negotiate";
import { addressInDocument } from "@/lib/http/cache/page-address";
import { cacheStore, type Entry, now } from "@/lib/http/cache/store";
import { StoredDocument, type StoredPage } from "@/lib/http/cache/stored-values";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { log } from "@/lib/http/server/log";
import type { RequestContext } from "@/lib/http/server/request-context";

// A cached public page that Next.js has sent once is sent without it from then on, in gzip as it is
// stored, until it expires: docs/decisions/048.

/** Headers by which Next.js's router (or a client that imitates it) asks for something else than the document. */
const ROUTER_HEADERS =
  /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-matched-path$|x-now-|x-prerender-)/;

/** Longer paths are no links of the shop, and clients could fill the memory with them. */
const MAX_PATH_LENGTH = 300;
const MAX_PATHS = 10_000;

/** The cache key of the page at a path (`pagePath` of its request). */
const keyByPath = new LRUCache<string, string>({ max: MAX_PATHS });
/** The headers with which Next.js has sent a page. */
const headersByPage = new WeakMap<Entry, OutgoingHttpHeaders>();

interface SentPage {
  entry: Entry;
  document: StoredPage["document"];
  headers: OutgoingHttpHeaders;
}

/** Sends the cached page that a request asks for; Next.js has to find or render any other. */
export const sendStoredPage: Step = (exchange, next) => {
  const { request, context } = exchange;
  if (context.pagePath === undefined || !isDocumentRequest(request)) return next();
  const page = findPage(context.pagePath);
  if (page) return sendPage(exchange, page);
  context.isDocument = true;
  next();
};

/** Does it ask for a document, rather than for what Next.js's router needs? */
export function isDocumentRequest({
  method,
  headers,
}: Pick<Exchange["request"], "method" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  for (const name in headers) if (ROUTER_HEADERS.test(name)) return false;
  return true;
}

const findEntry = (path: string): Entry | null => {
  const key = keyByPath.get(path);
  return key === undefined ? null : cacheStore.get(key);
};

/** Has Next.js sent the document of a page, and is the page stored still, be it an expired one? */
export const isPageStored = (path: string): boolean => findEntry(path) !== null;

/** The cached page at a path; null where Next.js has to find or render it. */
function findPage(path: string): SentPage | null {
  const entry = findEntry(path);
  const headers = entry && headersByPage.get(entry);
  if (!entry || !headers || !hasDocument(entry.value)) return null;
  const { value } = entry;
  const { revalidate } = entry.cacheControl ?? {};
  const isOld = typeof revalidate === "number" && now() - entry.lastModified > revalidate * 1000;
  return isOld ? null : { entry, document: (how) => value.document(how), headers };
}

/** By a field: the cache handler, which makes stored pages, has a copy of their class. */
const hasDocument = (value: Entry["value"]): value is StoredPage | StoredDocument =>
  "document" in value;

/** Remembers how Next.js sends a cached page; to be called when its headers are complete. */
export function rememberStoredPage({ response, pagePath, isDocument, page }: RequestContext): void {
  if (!isDocument || response.statusCode !== 200 || !page) return;
  if (pagePath === undefined || pagePath.length > MAX_PATH_LENGTH) return;
  keyByPath.set(pagePath, page.key);
  const isHit = response.getHeader("x-nextjs-cache") === "HIT";
  if (isHit && !headersByPage.has(page)) headersByPage.set(page, response.getHeaders());
}

/** Is the response a document that is kept for others (`keepDocument`)? */
export const isKept = ({ keep, pagePath, isDocument, response }: RequestContext): boolean =>
  keep !== undefined &&
  pagePath !== undefined &&
  pagePath.length <= MAX_PATH_LENGTH &&
  isDocument &&
  response.statusCode === 200 &&
  response.req.method === "GET";

/**
 * Keeps the document of a page that Next.js does not store, unless it names another address than its own. Sets the
 * headers of its response, which the kept one gets, too.
 */
export async function keepDocument(context: RequestContext, html: Buffer): Promise<void> {
  const { keep, pagePath, response, startedAt } = context;
  if (!keep || pagePath === undefined) return;
  const { url, tags, seconds } = keep;
  if (addressInDocument(html.toString())?.url !== url) {
    log.warn({}, "a page that names another address than its own is not kept");
    return;
  }
  response.setHeader("Cache-Control", `s-maxage=${seconds}`);
  const headers = response.getHeaders();
  const began = performance.timeOrigin + startedAt;
  const page: Entry = {
    key: pagePath,
    value: await StoredDocument.of(html),
    lastModified: began,
    began,
    tags,
    cacheControl: { revalidate: seconds },
  };
  context.page = page;
  keyByPath.set(pagePath, page.key);
  headersByPage.set(page, headers);
  cacheStore.set(page.key, page);
}

function sendPage({ request, response, context }: Exchange, page: SentPage): void {
  // For the headers of cached pages (cached-page-headers.ts).
  context.page = page.entry;
  for (const [name, value] of Object.entries(page.headers))
    if (value !== undefined) response.setHeader(name, value);
  const isGzip = acceptsGzip(request.headers["accept-encoding"]);
  if (isGzip) response.setHeader("Content-Encoding", "gzip");
  const document = page.document({ isGzip });
  response.setHeader("Content-Length", document.length);
  response.end(request.method === "HEAD" ? undefined : document);
}

/** Does an `Accept-Encoding` header name gzip, or anything, and not to refuse it (`q=0`)? */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const ranges = rangesOf([header ?? ""].flat().join(","));
  const rangeOf = (coding: string) => ranges.find(({ range }) => range === coding);
  return ((rangeOf("gzip") ?? rangeOf("*"))?.q ?? 0) > 0;
}
