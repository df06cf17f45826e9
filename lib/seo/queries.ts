import { sql } from "drizzle-orm";
import { db } from "@/db";
import { LISTING_KIND } from "@/db/schema/catalogue";

/** ISO 8601, formatted by the database: it saves a million Date objects that would only be formatted. */
const isoSeconds = (instant: ReturnType<typeof sql>) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** When a product was last added to a list: two index look-ups, one per type of product. */
const lastAdded = (list: { kind: number; facetId: ReturnType<typeof sql> }) => sql`(
  select max(newest) from (values (false), (true)) kinds (is_digital), lateral (
    select l.created_at as newest from product_listings l
    where l.kind = ${list.kind} and l.facet_id = ${list.facetId}
      and l.is_digital = kinds.is_digital and l.created_at is not null
    order by l.created_at desc limit 1
  ) newest
)`;

/**
 * When the catalogue's lists last changed, in ISO 8601. `catalogue`: when a product was last added, null in
 * an empty shop. `categories`: sorted by id.
 */
export async function getCatalogueChanges() {
  const ofAll = lastAdded({ kind: LISTING_KIND.all, facetId: sql`0` });
  const ofCategory = lastAdded({ kind: LISTING_KIND.category, facetId: sql`c.id` });
  const [all, categories] = await Promise.all([
    db.execute<{ catalogue: string | null }>(sql`select ${isoSeconds(ofAll)} as catalogue`),
    db.execute<{ id: number; lastModified: string }>(sql`
      select c.id, ${isoSeconds(sql`greatest(c.updated_at, ${ofCategory})`)} as "lastModified"
      from categories c order by c.id
    `),
  ]);
  return { catalogue: all[0]?.catalogue ?? null, categories };
}

/**
 * Divides the ids into ranges of `size` and returns the numbers (from 1) of the ranges that contain a
 * product. It costs one primary key look-up per range, however many products there are and however far
 * apart their ids.
 */
export async function listProductRanges({ size }: { size: number }): Promise<number[]> {
  const rangeOf = (id: ReturnType<typeof sql>) => sql`((${id}) - 1) / ${size}::bigint + 1`;
  const rows = await db.execute<{ range: number }>(sql`
    with recursive ranges (range) as (
      (select ${rangeOf(sql`id`)} from products order by id limit 1)
      union all
      select (
        select ${rangeOf(sql`p.id`)} from products p
        where p.id > ranges.range * ${size}::bigint order by p.id limit 1
      ) from ranges where ranges.range is not null
    )
    select range::int from ranges where range is not null
  `);
  return rows.map((row) => row.range);
}

/** At most `limit` products with `after` < id ≤ `until`, by id. */
export const listProductChanges = async (range: { after: number; until: number; limit: number }) =>
  db.execute<{ id: number; lastModified: string }>(sql`
    select id, ${isoSeconds(sql`updated_at`)} as "lastModified" from products
    where id > ${range.after}::bigint and id <= ${range.until}::bigint
    order by id limit ${range.limit}
  `);
