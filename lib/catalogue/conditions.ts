import { type SQL, sql } from "drizzle-orm";
import type { ProductFilters } from "./schemas";

/**
 * The filters as conditions on `products p`, without the search text. Written as in the indexes of products.
 *
 * @param byPrice allows the index of prices, which reads all products between two prices
 */
export function conditionsOf(filters: ProductFilters, { byPrice = true } = {}): SQL[] {
  const { categoryId, tagId, tagIds, type, minPriceCents, maxPriceCents } = filters;
  const { minRating, availability, characteristics = [], status = "active" } = filters;
  const conditions: SQL[] = [];
  // Written as in the partial indexes.
  if (status !== "any") conditions.push(sql.raw(`p.status = '${status}'`));
  const price = byPrice ? sql`p.price_cents` : sql`p.price_cents + 0`;
  if (type) conditions.push(sql`p.type = ${type}`);
  if (minPriceCents !== undefined) conditions.push(sql`${price} >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`${price} <= ${maxPriceCents}`);
  if (categoryId !== undefined)
    conditions.push(sql`(p.category_ids || p.default_category_id) @> array[${categoryId}::int]`);
  if (tagId !== undefined) conditions.push(sql`p.tag_ids @> array[${tagId}::int]`);
  if (tagIds) conditions.push(sql`p.tag_ids && ${sql.param([...tagIds])}::int[]`);
  if (minRating !== undefined) conditions.push(sql`p.average_rating >= ${minRating}`);
  if (availability) conditions.push(sql`${isAvailable}`);
  for (const filter of characteristics) conditions.push(hasCharacteristic(filter));
  return conditions;
}

/** Can the product be bought? Pieces of some products are not counted. */
export const isAvailable = sql`(p.stock is null or p.stock > 0)`;

function hasCharacteristic({ name, values }: { name: string; values: readonly string[] }): SQL {
  const one = values.map(
    (value) => sql`p.characteristics @> ${JSON.stringify([{ name, value }])}::jsonb`,
  );
  return sql`(${sql.join(one, sql` or `)})`;
}
