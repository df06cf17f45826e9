import { setTimeout as delay } from "node:timers/promises";
import { env } from "@/lib/env";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/per-process";

// Purges pages from the caches in front of the shop (CACHE_PURGE_URL): docs/decisions/038.

/** Milliseconds that a write waits for the caches; not for one that is known to be unreachable. */
const MAX_WAIT_MS = 500;
const REQUEST_TIMEOUT_MS = 2_000;
/** Milliseconds before the second attempt; doubled for each further one … */
const INITIAL_BACKOFF_MS = 100;
/** … up to this. */
const MAX_BACKOFF_MS = 5_000;
/** Tags of one request; headers have to stay short. */
const MAX_TAGS_PER_REQUEST = 100;
/** With more pending tags, all pages are purged instead. */
const MAX_PENDING_TAGS = 1_000;
/**
 * Milliseconds after which tags are purged again, since a page that the shop sent before the change
 * may reach a cache after the purge. The VCL stores nothing that took more than 2 seconds, which the
 * last repetition must exceed.
 */
const REPEAT_AFTER_MS = [500, 3_000];

/** One cache. Its requests are sequential; tags that come meanwhile are sent with the next one. */
export class PurgedCache {
  private readonly pending = new Set<string>();
  private sending: Promise<void> | undefined;
  private failures = 0;

  /** @param send makes the request; throws where it failed */
  constructor(
    private readonly name: string,
    private readonly send: (tags: readonly string[]) => Promise<void>,
    private readonly maxBackoff = MAX_BACKOFF_MS,
  ) {}

  get isUnreachable(): boolean {
    return this.failures > 0;
  }

  /** Settles when the cache has purged everything that is pending, however long that takes. */
  purge(tags: readonly string[]): Promise<void> {
    for (const tag of tags) this.pending.add(tag);
    if (this.pending.size > MAX_PENDING_TAGS) {
      this.pending.clear();
      this.pending.add(EVERY_PAGE);
    }
    this.sending ??= this.sendPending().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async sendPending(): Promise<void> {
    while (this.pending.size > 0) {
      const tags = [...this.pending].slice(0, MAX_TAGS_PER_REQUEST);
      for (const tag of tags) this.pending.delete(tag);
      try {
        await this.send(tags);
        if (this.isUnreachable)
          log.info({ cache: this.name }, "the cache in front is reached again");
        this.failures = 0;
      } catch (error) {
        for (const tag of tags) this.pending.add(tag);
        // Logged once, not at every attempt.
        if (!this.isUnreachable) {
          const about = { cache: this.name, err: error };
          log.warn(about, "the cache in front could not be told what changed, it will be");
        }
        this.failures++;
        const backoff = Math.min(this.maxBackoff, INITIAL_BACKOFF_MS * 2 ** (this.failures - 1));
        await delay(backoff, undefined, { ref: false });
      }
    }
  }
}

async function requestPurge({ url, tags }: { url: string; tags: readonly string[] }) {
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
}

/** This process's: each has a list of pending tags. */
const caches = (): readonly PurgedCache[] =>
  perProcess("purged-caches", () =>
    env().CACHE_PURGE_URL.map(
      (url) => new PurgedCache(new URL(url).host, (tags) => requestPurge({ url, tags })),
    ),
  );

/** Is there a cache in front of the shop to purge? */
export const isPurging = () => caches().length > 0;

/**
 * Purges the pages with one of these tags from every cache in front. Returns when all reachable ones
 * have, at the latest after `MAX_WAIT_MS`; the others are retried until they are reached. Never
 * throws.
 */
export async function purge(tags: readonly string[]): Promise<void> {
  if (!isPurging() || tags.length === 0) return;
  await Promise.race([purgeAll(tags), delay(MAX_WAIT_MS, undefined, { ref: false })]);
  for (const wait of REPEAT_AFTER_MS) setTimeout(() => void purgeAll(tags), wait).unref();
}

/** Settles once all have purged that were reachable before. */
async function purgeAll(tags: readonly string[]): Promise<void> {
  await Promise.all(
    caches().map((cache) => {
      const { isUnreachable } = cache;
      const purged = cache.purge(tags);
      return isUnreachable ? undefined : purged;
    }),
  );
}

/**
 * As `purge`, for all pages. Called when a process starts: purges that a former process did not
 * complete are covered by it, and pages of the former build do not stay.
 */
export function purgeEverything(): void {
  void purge([EVERY_PAGE]);
}
