import { setTimeout as delay } from "node:timers/promises";
import { env } from "@/lib/env";
import { EVERY_PAGE } from "@/lib/http/cache-tags";
import { log } from "@/lib/http/log";

// Tells the caches in front of the shop (CACHE_PURGE_URL) which pages to forget: docs/decisions/038.

/** Milliseconds that a write waits for the caches; one that is known to be away is not waited for. */
const PATIENCE = 500;
/** Milliseconds for one request. */
const TIMEOUT = 2_000;
/** Milliseconds before the second attempt; every further wait is twice as long … */
const FIRST_WAIT = 100;
/** … up to this many. */
const LONGEST_WAIT = 5_000;
/** Tags of one request; headers have to stay short. */
const MOST_TAGS = 100;
/** When more than so many tags wait, all pages are forgotten instead. */
const MOST_WAITING = 1_000;
/**
 * Milliseconds after which tags are sent again. A page that left the shop before the change may
 * reach a cache after the news of it: soon, as a rule, and the VCL stores nothing that was on its
 * way for longer than `shop_longest_fetch`, which the last repetition must exceed.
 */
const REPEATS = [500, 3_000];

/** One cache. Its requests follow each other; tags that come meanwhile go with the next one. */
export class PurgedCache {
  private readonly waiting = new Set<string>();
  private sending: Promise<void> | undefined;
  private failures = 0;

  /** @param send tells the cache; throws where it did not take it */
  constructor(
    private readonly name: string,
    private readonly send: (tags: readonly string[]) => Promise<void>,
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  get isAway(): boolean {
    return this.failures > 0;
  }

  /** Settles when the cache has forgotten everything that waits, however long that takes. */
  forget(tags: readonly string[]): Promise<void> {
    for (const tag of tags) this.waiting.add(tag);
    if (this.waiting.size > MOST_WAITING) {
      this.waiting.clear();
      this.waiting.add(EVERY_PAGE);
    }
    this.sending ??= this.sendWaiting().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async sendWaiting(): Promise<void> {
    while (this.waiting.size > 0) {
      const tags = [...this.waiting].slice(0, MOST_TAGS);
      for (const tag of tags) this.waiting.delete(tag);
      try {
        await this.send(tags);
        if (this.isAway) log.info({ cache: this.name }, "the cache in front is reached again");
        this.failures = 0;
      } catch (error) {
        for (const tag of tags) this.waiting.add(tag);
        // Said once, not at every attempt.
        if (!this.isAway) {
          const about = { cache: this.name, err: error };
          log.warn(about, "the cache in front could not be told what changed, it will be");
        }
        this.failures++;
        const wait = Math.min(this.longestWait, FIRST_WAIT * 2 ** (this.failures - 1));
        await delay(wait, undefined, { ref: false });
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
    signal: AbortSignal.timeout(TIMEOUT),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`PURGE was answered with ${response.status}`);
}

// Next.js may load this module once per bundle; what waits is one list per process.
const KEY = Symbol.for("mini-ecommerce.purged-caches");
const shared = globalThis as { [KEY]?: readonly PurgedCache[] };

const caches = () => {
  shared[KEY] ??= env().CACHE_PURGE_URL.map(
    (url) => new PurgedCache(new URL(url).host, (tags) => requestPurge({ url, tags })),
  );
  return shared[KEY];
};

/** Is there a cache in front of the shop that is told what to forget? */
export const isPurging = () => caches().length > 0;

/**
 * Has every cache in front forget the pages with one of these tags. Returns when all that can be
 * reached have, at the latest after `PATIENCE`; those that cannot are told once they can. Never
 * throws.
 */
export async function purge(tags: readonly string[]): Promise<void> {
  if (!isPurging() || tags.length === 0) return;
  await Promise.race([tellAll(tags), delay(PATIENCE, undefined, { ref: false })]);
  for (const wait of REPEATS) setTimeout(() => void tellAll(tags), wait).unref();
}

/** Settles once all have forgotten that were not away before. */
async function tellAll(tags: readonly string[]): Promise<void> {
  await Promise.all(
    caches().map((cache) => {
      const { isAway } = cache;
      const forgotten = cache.forget(tags);
      return isAway ? undefined : forgotten;
    }),
  );
}

/**
 * As `purge`, for all pages. Called when a process starts: one that ended before it had told the
 * caches everything leaves nothing behind, nor do the pages of the build before this one stay.
 */
export function purgeEverything(): void {
  void purge([EVERY_PAGE]);
}
