import { sql } from "drizzle-orm";
import { db } from "@/db";
import { LISTING_KIND } from "@/db/schema/catalogue";
import type { ProductType } from "@/lib/shop/product-type";

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
      (select ${rangeOf(sql`id`)} from products where status = 'active' order by id limit 1)
      union all
      select (
        select ${rangeOf(sql`p.id`)} from products p
        where p.id > ranges.range * ${size}::bigint and p.status = 'active' order by p.id limit 1
      ) from ranges where ranges.range is not null
    )
    select range::int from ranges where range is not null
  `);
  return rows.map((row) => row.range);
}

/** At most `limit` products with `after` < id ≤ `until`, by id. */
export const listProductChanges = async (range: { after: number; until: number; limit: number }) =>
  db.execute<{ id: number; lastModified: string; images: string[] }>(sql`
    select id, ${isoSeconds(sql`updated_at`)} as "lastModified",
      array_remove(image || array(select picture->>'url' from jsonb_array_elements(more_images) picture), null)
        as images
    from products
    where id > ${range.after}::bigint and id <= ${range.until}::bigint and status = 'active'
    order by id limit ${range.limit}
  `);

/** A product as the feed shows it. */
export type FeedRow = Record<string, unknown> & {
  id: number;
  name: string;
  /** The first 5,000 characters. */
  description: string;
  type: ProductType;
  priceCents: number;
  images: string[];
  gtin: string | null;
  brand: string | null;
  /** Pieces; null where they are not counted. */
  stock: number | null;
  /** Grams. */
  weight: number | null;
  category: string;
};

/** At most `limit` products on sale with `after` < id ≤ `until`, by id. */
export const listFeedProducts = async (range: { after: number; until: number; limit: number }) =>
  db.execute<FeedRow>(sql`
    select p.id, p.name, left(p.description, 5000) as description, p.type, p.price_cents as "priceCents",
      array_remove(p.image || array(select picture->>'url' from jsonb_array_elements(p.more_images) picture), null)
        as images,
      p.gtin, p.brand, p.stock, p.weight, c.name as category
    from products p join categories c on c.id = p.default_category_id
    where p.id > ${range.after}::bigint and p.id <= ${range.until}::bigint and p.status = 'active'
    order by p.id limit ${range.limit}
  `);
