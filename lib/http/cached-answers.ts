import type { ServerResponse } from "node:http";
import { accessOf } from "@/lib/guards";
import { EVERY_PAGE } from "@/lib/http/cache-tags";
import { isPurging } from "@/lib/http/purge";
import { type PageEntry, requestOf } from "@/lib/http/request-context";
import { pathOf } from "@/lib/http/url";

// What a cache in front of the shop (Varnish, a CDN) is told about a cached page: docs/decisions/038.

/** Names the tags of what a page shows, for the cache to forget it by. Not for visitors. */
const TAGS_HEADER = "Cache-Tag";

interface Store {
  isExpired(page: PageEntry): boolean;
}

const STORE = Symbol.for("mini-ecommerce.cache");
const shared = globalThis as { [STORE]?: Store };

/** Describes an answer that is about to leave, if a cached page is what it shows. */
export function cachedPageDescription(): (response: ServerResponse) => void {
  const hasTags = isPurging();
  return (response) => {
    const request = requestOf(response);
    if (!request) return;
    const { page } = request;
    if (!page) return describeShared(response);
    const isExpired = shared[STORE]?.isExpired(page) ?? false;
    describePage({ response, path: pathOf(request.url), page, hasTags, isExpired });
  };
}

/** How Next.js says what a page of its cache is good for; our own answers say who may keep them. */
const NEXT_LIFE = /^s-maxage=/;

const KEPT_BY_NOBODY = "private, no-cache, no-store, max-age=0, must-revalidate";

/**
 * Who asks for a page that is being made for somebody else gets it along with them. What it shows is
 * noted for the first alone, so that nobody could be told when to forget it.
 */
export function describeShared(response: Pick<ServerResponse, "getHeader" | "setHeader">): void {
  if (NEXT_LIFE.test(String(response.getHeader("Cache-Control"))))
    response.setHeader("Cache-Control", KEPT_BY_NOBODY);
}

/**
 * Sets the headers of a page that is about to be sent.
 *
 * @param isExpired what it shows has changed since it was read: a request that came while the page
 *   was being rendered is answered with it all the same, after the caches were told to forget it
 * @param hasTags is there a cache in front that is told what to forget?
 */
export function describePage({
  response,
  path,
  page,
  hasTags,
  isExpired,
}: {
  response: Pick<ServerResponse, "getHeader" | "setHeader">;
  path: string;
  page: PageEntry;
  hasTags: boolean;
  isExpired: boolean;
}): void {
  // The middleware looks at each visitor of a guarded page: nobody may show it in the shop's place.
  if (isExpired || accessOf(path) !== null) {
    response.setHeader("Cache-Control", KEPT_BY_NOBODY);
    return;
  }
  // Next.js lets a CDN show a page while it fetches the next one. Browsers take that for themselves,
  // too: what they load ahead of a click would be up to an hour old, and Chromium does not end the
  // requests by which it looks again, until no connection is left (vercel/next.js#96801). The shop
  // answers at once even with a page that has run out, so a CDN has little to wait for.
  const life = response.getHeader("Cache-Control");
  if (typeof life === "string") {
    response.setHeader("Cache-Control", life.replace(/, stale-while-revalidate=\d+/, ""));
  }
  if (hasTags) {
    response.setHeader(TAGS_HEADER, [EVERY_PAGE, ...page.tags.filter(isOwn)].join(","));
  }
}

/** Next.js adds a tag for every part of a page's path. */
const isOwn = (tag: string) => !tag.startsWith("_N_T_");
