// @ts-check
import nextCacheControls from "next/dist/server/lib/incremental-cache/shared-cache-controls.external.js";

// Next.js 16.4 keeps the cache control of every page ever stored, by its path, in an unbounded map:
// https://github.com/vercel/next.js/blob/v16.4.6/packages/next/src/server/lib/incremental-cache/shared-cache-controls.external.ts
// A crawler that visits a million products would fill the memory.

const MAX_CACHE_CONTROLS = 10_000;

/** @returns {Map<string, unknown> | undefined} the map; undefined if this version of Next.js does not have it */
export const nextCacheControlsMap = () =>
  /** @type {any} */ (nextCacheControls).SharedCacheControls?.cacheControls;

/** Clears the map when it is too large. Nothing is lost: cache entries contain their cache control, too. */
export function boundCacheControls() {
  const cacheControls = nextCacheControlsMap();
  if (cacheControls && cacheControls.size > MAX_CACHE_CONTROLS) cacheControls.clear();
}
