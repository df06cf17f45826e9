import { type SQL, sql } from "drizzle-orm";
import { countAll, countAtMost } from "@/db/count";
import { fromReplica } from "@/db/replica";
import { MAX_COUNTED_MATCHES } from "@/lib/catalogue/listings";
import type { ProductFilters } from "@/lib/catalogue/schemas";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { exactQuery, readSearchWords, type TextQuery } from "./words";

/** The text of a search as a condition on `products p`. */
export function matches({ query: { tsqueries, commonParts } }: { query: TextQuery }): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  const indexed = tsqueries.map((tsquery) => sql`p.search_vector @@ ${tsquery}::tsquery`);
  return sql.join([...indexed, ...conditions], sql` and `);
}

/** The rank of `products p`; single letters in the name outweigh everything else. */
export function relevance({ ranking, letters }: TextQuery): SQL {
  const rank = ranking ? sql`ts_rank(p.search_vector, ${ranking}::tsquery)` : sql`0::real`;
  const held = letters.map(
    (letter) => sql`(' ' || p.name_key || ' ' like ${`% ${letter} %`})::int::real`,
  );
  return sql`(${sql.join([rank, ...held], sql` + `)})`;
}

/** All conditions of a search on `products p`. */
export const searchConditions = (
  filters: ProductFilters & { query: TextQuery },
  how?: { byPrice: boolean },
) => sql.join([...productConditions(filters, how), matches(filters)], sql` and `);

/** A search text as a condition on `products p`. */
export async function searchCondition(search: string): Promise<SQL> {
  const query = exactQuery(await readSearchWords(search));
  return query ? matches({ query }) : sql`false`;
}

/**
 * The filters of a search, as conditions on `products p`.
 *
 * @param byPrice whether the index of prices may be used: it gives all products between two prices
 */
export function productConditions(filters: ProductFilters, { byPrice = true } = {}): SQL[] {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents } = filters;
  const conditions: SQL[] = [];
  const price = byPrice ? sql`p.price_cents` : sql`p.price_cents + 0`;
  if (type) conditions.push(sql`p.type = ${type}`);
  if (minPriceCents !== undefined) conditions.push(sql`${price} >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`${price} <= ${maxPriceCents}`);
  // Written as in the index of the words: products_search_sales_idx.
  if (categoryId !== undefined)
    conditions.push(sql`(p.category_ids || p.default_category_id) @> array[${categoryId}::int]`);
  if (tagId !== undefined) conditions.push(sql`p.tag_ids @> array[${tagId}::int]`);
  return conditions;
}

type Search = ProductFilters & { query: TextQuery };

/** How many match; exact up to `MAX_COUNTED_MATCHES`. */
export function countSearched(search: Search): Promise<number> {
  const query = sql`select from products p where ${searchConditions(search)}`;
  const run = () => countAtMost({ read: fromReplica, query, max: MAX_COUNTED_MATCHES });
  return cachedCount({ name: "search-count", search, run });
}

/** The same, exact however many match. */
export function countAllSearched(search: Search): Promise<number> {
  const query = sql`select from products p where ${searchConditions(search)}`;
  const run = () => countAll({ query, read: fromReplica });
  return cachedCount({ name: "search-count-all", search, run });
}

function cachedCount({
  name,
  search: { categoryId, tagId, type, minPriceCents, maxPriceCents, query },
  run,
}: {
  name: string;
  search: Search;
  run: () => Promise<number>;
}): Promise<number> {
  return cached({
    key: [name, JSON.stringify([query, categoryId, tagId, type, minPriceCents, maxPriceCents])],
    tags: [CACHE_TAGS.catalogue],
    run,
  });
}
