import type { ServerResponse } from "node:http";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { isPurging } from "@/lib/http/cache/purge";
import { cacheStore, type Entry } from "@/lib/http/cache/store";
import type { RequestContext } from "@/lib/http/server/request-context";
import { rememberStoredPage } from "@/lib/http/server/stored-page";
import { pathOf } from "@/lib/http/url";
import { accessOf } from "@/lib/pages";

// The headers of cached pages for a cache in front of the shop (Varnish, a CDN): docs/decisions/038.

/** The tags by which a cache in front purges the page. Not for visitors. */
const TAGS_HEADER = "Cache-Tag";

/** Sets the headers of a response that is about to be sent, if it is a cached page. */
export function setCacheHeaders(request: RequestContext): void {
  const { page, response } = request;
  if (!page) {
    forbidSharedCaching(response);
    return;
  }
  const isExpired = cacheStore.isExpired(page);
  const hasTags = isPurging();
  setPageHeaders({ response, path: pathOf(request.url), page, hasTags, isExpired });
  if (!isExpired) rememberStoredPage(request);
}

/** How the `Cache-Control` of Next.js's cached pages begins, unlike the shop's own. */
const NEXT_CACHE_CONTROL = /^s-maxage=/;

const NO_CACHE = "private, no-cache, no-store, max-age=0, must-revalidate";

/**
 * A request for a page that is already being rendered for another one gets the same result. The tags
 * are known for the first request alone: without them a cache in front could not purge the page.
 */
export function forbidSharedCaching(
  response: Pick<ServerResponse, "getHeader" | "setHeader">,
): void {
  if (NEXT_CACHE_CONTROL.test(String(response.getHeader("Cache-Control"))))
    response.setHeader("Cache-Control", NO_CACHE);
}

/**
 * @param isExpired a tag of the page has expired since it was read: a request that came during the
 *   rendering still gets the page, after the caches in front were purged
 * @param hasTags is there a cache in front that is purged?
 */
export function setPageHeaders({
  response,
  path,
  page,
  hasTags,
  isExpired,
}: {
  response: Pick<ServerResponse, "getHeader" | "setHeader">;
  path: string;
  page: Pick<Entry, "tags">;
  hasTags: boolean;
  isExpired: boolean;
}): void {
  addVary(response, "Accept-Encoding");
  // The middleware checks every visitor of a guarded page: no cache may serve it.
  if (isExpired || accessOf(path) !== "everybody") {
    response.setHeader("Cache-Control", NO_CACHE);
    return;
  }
  // Next.js lets a CDN serve a page while it revalidates it. Browsers apply that, too: prefetched pages
  // would be up to an hour old, and Chromium does not end its revalidation requests, until no
  // connection is left (vercel/next.js#96801). The shop answers at once even with an expired page, so
  // that a CDN has little to wait for.
  const cacheControl = response.getHeader("Cache-Control");
  if (typeof cacheControl === "string") {
    response.setHeader("Cache-Control", cacheControl.replace(/, stale-while-revalidate=\d+/, ""));
  }
  if (hasTags) {
    response.setHeader(TAGS_HEADER, [EVERY_PAGE, ...page.tags.filter(isShopTag)].join(","));
  }
}

function addVary(response: Pick<ServerResponse, "getHeader" | "setHeader">, name: string): void {
  const names = [response.getHeader("Vary") ?? []].flat().join(", ");
  if (!names.includes(name)) response.setHeader("Vary", names ? `${names}, ${name}` : name);
}

/** Next.js adds a tag for every part of a page's path. */
const isShopTag = (tag: string) => !tag.startsWith("_N_T_");
