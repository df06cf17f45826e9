import { setTimeout as delay } from "node:timers/promises";
import { env } from "@/lib/env";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { log } from "@/lib/http/server/log";

// Purges pages from the caches in front of the shop (CACHE_PURGE_URL): docs/decisions/038.

/** Milliseconds that a write waits for the caches. */
const MAX_WAIT_MS = 500;
const REQUEST_TIMEOUT_MS = 2_000;
/**
 * Milliseconds before the purge is repeated: a page that the shop sent before the change may reach a cache after the
 * purge, and a cache may be away for a moment.
 */
const REPEAT_AFTER_MS = [500, 3_000, 15_000];
/** Tags of one request: headers have to stay short. With more of them, all pages are purged. */
const MAX_TAGS = 100;

/** Is there a cache in front of the shop to purge? */
export const isPurging = () => env().CACHE_PURGE_URL.length > 0;

/**
 * Purges the pages with one of these tags from every cache in front. Settles when the caches have answered, at the latest
 * after `MAX_WAIT_MS`. A cache that stays away shows a page until it is five minutes old. Never throws.
 */
export async function purge(tags: readonly string[]): Promise<void> {
  if (!isPurging() || tags.length === 0) return;
  const sent = tags.length > MAX_TAGS ? [EVERY_PAGE] : tags;
  await Promise.race([purgeAll(sent), delay(MAX_WAIT_MS, undefined, { ref: false })]);
  for (const wait of REPEAT_AFTER_MS) setTimeout(() => void purgeAll(sent), wait).unref();
}

const purgeAll = (tags: readonly string[]) =>
  Promise.all(env().CACHE_PURGE_URL.map((url) => requestPurge({ url, tags })));

async function requestPurge({ url, tags }: { url: string; tags: readonly string[] }) {
  try {
    const response = await fetch(url, {
      method: "PURGE",
      headers: {
        Authorization: `Bearer ${env().CACHE_PURGE_SECRET}`,
        "Cache-Tag": tags.join(","),
      },
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`PURGE was answered with ${response.status}`);
  } catch (error) {
    log.warn({ cache: new URL(url).host, err: error }, "a cache in front could not be purged");
  }
}
