import { createHash } from "node:crypto";
import { unstable_cache } from "next/cache.js";
import CacheHandler, { expireTags } from "@/cache-handler.mjs";
import { purge } from "@/lib/http/cache/purge";

/** Maximum age of a cached page or value in seconds: a safety net, since writes expire their tags. */
export const CACHE_SECONDS = 300;

/**
 * The result of `run`, kept until one of its tags is expired or `seconds` have passed. A page that reads
 * through it depends on the same tags, and lives no longer.
 *
 * @param key names the result among all cached ones; everything `run` depends on stands in it
 * @param run its result is kept as JSON: no dates, no `undefined` in lists
 */
export function cached<T>(options: {
  key: readonly string[];
  tags: readonly string[];
  seconds?: number;
  run: () => Promise<T>;
}): Promise<T> {
  return unstable_cache(options.run, [...options.key], {
    tags: [...options.tags],
    revalidate: options.seconds ?? CACHE_SECONDS,
  })();
}

/**
 * As `cached`, for a text that no page shows. Within its `run`, results of `cached` are read from the cache, too: Next.js
 * does not read one within another.
 */
export async function cachedText({
  key,
  tags,
  run,
}: {
  key: readonly string[];
  tags: readonly string[];
  run: () => Promise<string>;
}): Promise<string> {
  // Hashed: the cache counts the bytes of values, not of keys, and filters in a URL may be long.
  const name = `text:${createHash("sha256").update(JSON.stringify(key)).digest("base64url")}`;
  // Created first: it notes when the reading begins.
  const handler = new CacheHandler();
  const known = await handler.get(name);
  if (known && Date.now() - known.lastModified < CACHE_SECONDS * 1000)
    return String(known.value.text);
  const text = await run();
  const context = { tags: [...tags], cacheControl: { revalidate: CACHE_SECONDS } };
  await handler.set(name, { kind: "TEXT", text }, context);
  return text;
}

const nothing = async () => null;

/** Keeps the page that is being rendered for a second only: something is missing in it. */
export const renewSoon = (): Promise<null> =>
  cached({ key: ["incomplete-page"], tags: [], seconds: 1, run: nothing });

/**
 * Has the page that is being rendered depend on further tags, too: those that are known only once its
 * data has been read. A change meanwhile expires the page, whose age begins with its rendering.
 */
export const dependOn = (tags: readonly string[]): Promise<null> =>
  cached({ key: ["depends-on", ...tags], tags, run: nothing });

/**
 * Expires every page and value that depends on one of the tags: here at once, and on every other
 * instance and in every cache in front of the shop that can be reached. Call it after the commit and
 * respond when it has settled: the client then sees the change everywhere. Never throws.
 */
export async function invalidate(tags: readonly string[]): Promise<void> {
  await expireTags(tags);
  await purge(tags);
}
