import { createHash } from "node:crypto";
import { cachedText } from "@/lib/http/cache";
import { isKnownTag } from "@/lib/http/etag";
import type { Format } from "@/lib/http/negotiate";
import type { RawQuery } from "@/lib/http/query";
import { pathOf } from "@/lib/http/url";

/** What a public read stores of its answer, and until when. */
export interface CacheRule {
  /** Tells answers of this route apart; its path and the query's known parameters, if not given. */
  key?: string;
  /** Writes that concern these tags (cache-tags.ts) end it. */
  tags: readonly string[];
}

/** A longer key is free text that nobody will ask for twice: such answers are not stored. */
const MAX_KEY_LENGTH = 300;

/** The key of an answer, or null where it is not worth storing. */
export function storeKey({
  rule,
  request,
  raw,
}: {
  rule: CacheRule;
  request: Request;
  raw: RawQuery;
}): string | null {
  const key =
    rule.key ?? `${pathOf(withoutOrigin(request.url))}?${raw.filters}&page=${raw.page ?? 1}`;
  return key.length <= MAX_KEY_LENGTH ? key : null;
}

const withoutOrigin = (url: string) => url.slice(url.indexOf("/", url.indexOf("://") + 3));

/** An answer from the cache, made by `text` if need be; 304 to those who have it already. */
export async function storedAnswer({
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
    run: async () => sealed(await text()),
  });
  const end = stored.indexOf("\n");
  const etag = stored.slice(0, end);
  const withTag = { ...headers, ETag: etag };
  const header = request.headers.get("if-none-match");
  if (isKnownTag({ header, etag })) return new Response(null, { status: 304, headers: withTag });
  return new Response(stored.slice(end + 1), { headers: withTag });
}

/** What is stored carries its ETag in the first line, so that it is computed once. */
function sealed(text: string): string {
  return `W/"${createHash("sha1").update(text).digest("base64url")}"\n${text}`;
}
