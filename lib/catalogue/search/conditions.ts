import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import type { ProductFilters } from "@/lib/catalogue/schemas";
import { exactQuery, MAX_EXPANSIONS, readSearchWords, type TextQuery } from "./words";

// Searches as conditions on `products p`.

/** A text. */
export function textCondition({ tsqueries, commonParts }: TextQuery): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  const indexed = tsqueries.map((tsquery) => sql`p.search_vector @@ ${tsquery}::tsquery`);
  return sql.join([...indexed, ...conditions], sql` and `);
}

/**
 * The filters.
 *
 * @param byPrice whether the index of prices may be used: it gives all products between two prices
 */
export function filterConditions(filters: ProductFilters, { byPrice = true } = {}): SQL[] {
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

/** Text and filters. Prices are looked for among the rows of words and labels. */
export const searchConditions = ({ query, ...filters }: ProductFilters & { query: TextQuery }) =>
  sql.join([...filterConditions(filters, { byPrice: false }), textCondition(query)], sql` and `);

/** The rank of a match; single letters in the name outweigh everything else. */
export function relevance({ ranking, letters }: TextQuery): SQL {
  const rank = ranking ? sql`ts_rank(p.search_vector, ${ranking}::tsquery)` : sql`0::real`;
  const held = letters.map(
    (letter) => sql`(' ' || p.name_key || ' ' like ${`% ${letter} %`})::int::real`,
  );
  return sql`(${sql.join([rank, ...held], sql` + `)})`;
}

/** A text as it is typed. */
export async function searchCondition(search: string): Promise<SQL> {
  const query = exactQuery(await readSearchWords(search));
  return query ? textCondition(query) : sql`false`;
}

/**
 * A part of a name's word, given as a pattern of `like` on `' ' || name_key`: a condition for a single
 * row, and one for the index, which is null where the part stands in too many words.
 */
export async function productsNamed(
  pattern: string,
): Promise<{ condition: SQL; indexCondition: SQL | null }> {
  const condition = sql`' ' || p.name_key like ${pattern}`;
  const rows = await db.execute<{ lexeme: string }>(sql`
    select distinct quote_literal(lexeme) || ':A' as lexeme from search_words
    where in_name and word like ${pattern.replace(/^% /, "")} limit ${MAX_EXPANSIONS + 1}`);
  if (rows.length > MAX_EXPANSIONS) return { condition, indexCondition: null };
  const query = rows.map(({ lexeme }) => lexeme).join(" | ");
  return {
    condition,
    indexCondition: query ? sql`p.search_vector @@ ${query}::tsquery and ${condition}` : sql`false`,
  };
}
