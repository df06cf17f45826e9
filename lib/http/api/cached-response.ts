import type { Format } from "@/lib/http/api/negotiate";
import type { RawQuery } from "@/lib/http/api/query";
import { etagOf, revalidatedText } from "@/lib/http/api/revalidated-text";
import { cachedText } from "@/lib/http/cache/cache";

/** How the response of a public read is cached. */
export interface CacheRule {
  /** Writes that expire one of these tags (cache-tags.ts) expire it. */
  tags: readonly string[];
}

/** A longer key holds free text that hardly repeats: such responses are not cached. */
const MAX_KEY_LENGTH = 300;

/** The cache key: path and known parameters; null where the response is not worth caching. */
export function cacheKeyOf({ request, raw }: { request: Request; raw: RawQuery }): string | null {
  const key = `${new URL(request.url).pathname}?${raw.filters}&page=${raw.page ?? 1}`;
  return key.length <= MAX_KEY_LENGTH ? key : null;
}

/** The response from the cache, made by `text` if need be; 304 for a client that has it already. */
export async function cachedResponse({
  key,
  tags,
  format,
  headers,
  request,
  text,
}: {
  key: string;
  tags: readonly string[];
  format: Format;
  headers: Record<string, string>;
  request: Request;
  text: () => Promise<string>;
}): Promise<Response> {
  const stored = await cachedText({
    key: [format, key],
    tags,
    run: async () => withEtag(await text()),
  });
  const end = stored.indexOf("\n");
  const etag = stored.slice(0, end);
  return revalidatedText({ request, text: stored.slice(end + 1), etag, headers });
}

/** The cached text has its ETag as first line, so that it is computed once. */
const withEtag = (text: string) => `${etagOf(text)}\n${text}`;
