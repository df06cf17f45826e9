import { setTimeout as delay } from "node:timers/promises";
import { env, siteUrl } from "@/lib/env";
import { sharedCache } from "@/lib/http/cache/shared-cache-of-process";
import { cacheStore } from "@/lib/http/cache/store";

/** Milliseconds that the start waits for Redis, so that a new instance finds what others have rendered. */
const START_TIMEOUT_MS = 1_000;

/** Shares the cache where REDIS_URL is given. Called when the server starts; only the first call counts. */
export async function startSharedCache(): Promise<void> {
  const { REDIS_URL, MATOMO_URL } = env();
  if (!REDIS_URL) return;
  // Loaded here, since most shops need no client for Redis.
  const { SharedCache } = await import("@/lib/http/cache/shared-cache");
  if (sharedCache.current) return;
  const cache = new SharedCache(REDIS_URL, [siteUrl(), MATOMO_URL], cacheStore);
  sharedCache.current = cache;
  await Promise.race([cache.start(), delay(START_TIMEOUT_MS, undefined, { ref: false })]);
}
