import { unstable_cache } from "next/cache.js";
import { purge } from "@/lib/http/purge";

/** How long a page or a datum may live, in seconds: a safety net, since writes expire their tags. */
export const CACHE_SECONDS = 300;

type Store = { expireTags(tags: readonly string[]): void };

/** The store of cache-handler.mjs, which Next.js loads outside of the bundle. */
const store = () =>
  (globalThis as unknown as Record<symbol, Store | undefined>)[Symbol.for("mini-ecommerce.cache")];

/**
 * The result of `run`, kept until one of its tags is expired or `CACHE_SECONDS` have passed. A page
 * that reads through it depends on the same tags.
 *
 * @param key names the result among all cached ones; everything `run` depends on stands in it
 * @param run its result is kept as JSON: no dates, no `undefined` in lists
 */
export function cached<T>(options: {
  key: readonly string[];
  tags: readonly string[];
  run: () => Promise<T>;
}): Promise<T> {
  return unstable_cache(options.run, [...options.key], {
    tags: [...options.tags],
    revalidate: CACHE_SECONDS,
  })();
}

/** As `cached`, for an answer's finished text. */
export const cachedText = (options: {
  key: readonly string[];
  tags: readonly string[];
  run: () => Promise<string>;
}): Promise<string> => cached(options);

/**
 * Expires every page and datum that depends on one of the tags, here and in the caches in front of
 * the shop. Call it after the commit. Never throws: what cannot be reached is told later.
 */
export async function invalidate(tags: readonly string[]): Promise<void> {
  store()?.expireTags(tags);
  await purge(tags);
}
