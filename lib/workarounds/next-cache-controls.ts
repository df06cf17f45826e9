import nextCacheControls from "next/dist/server/lib/incremental-cache/shared-cache-controls.external.js";

// Next.js 16.4 keeps the cache control of every page that was ever stored, by its path, in a map without
// a bound: https://github.com/vercel/next.js/blob/v16.4.6/packages/next/src/server/lib/incremental-cache/shared-cache-controls.external.ts
// A crawler that walks a million products would fill the memory with it.

const MAX_CACHE_CONTROLS = 10_000;

/** The map; undefined once Next.js has no such one. */
export function nextCacheControlsMap(): Map<string, unknown> | undefined {
  const { SharedCacheControls } = nextCacheControls as unknown as {
    SharedCacheControls?: { cacheControls?: Map<string, unknown> };
  };
  return SharedCacheControls?.cacheControls;
}

/** Empties the map when it has grown. The entries of the cache have their cache control with them. */
export function boundCacheControls(): void {
  const cacheControls = nextCacheControlsMap();
  if (cacheControls && cacheControls.size > MAX_CACHE_CONTROLS) cacheControls.clear();
}
