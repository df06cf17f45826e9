import { type SQL, sql } from "drizzle-orm";
import { countAll, countAtMost, estimateRows } from "@/db/count";
import { DRAFT_LISTINGS, LISTING_KIND } from "@/db/schema/catalogue";
import { offsetOf, type PageRequest, pageBeyondEnd, pageOf } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { listProductsByIds } from "./product-rows";
import { PRODUCT_STATUSES, type ProductStatus } from "./rules";
import type { ProductFilters, ProductOrder } from "./schemas";

// Lists without a text search: ranges of the indexes of `product_listings` (docs/decisions/046).

/** With more rows, the total is the planner's estimate: counting would cost more than the page. */
const MAX_COUNTED_ROWS = 50_000;
/** The same limit where each row is read from the table instead of the index alone. */
const MAX_COUNTED_MATCHES = 10_000;

/** A page without text search: a range of one index of `product_listings`. */
export async function listedPage({
  isUncategorized,
  ...request
}: ProductFilters & ProductOrder & PageRequest & { isUncategorized?: boolean }) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  if (offset > 0) {
    const beyond = await pageBeyondEnd({
      offset,
      total: await countListed(request),
      maxCounted: MAX_COUNTED_MATCHES,
      countAll: () => countAllListed(request),
    });
    if (beyond) return beyond;
  }
  const ids = sql`
    select l.product_id from (${listedFirst({ ...request, count: offset + limit + 1 })}) l
    order by ${orderBy(request)} limit ${limit + 1} offset ${offset}`;
  const [items, total] = await Promise.all([
    listProductsByIds(ids, { isUncategorized, status: request.status }),
    countListed(request),
  ]);
  return pageOf({ items, limit, offset, total });
}

/**
 * The first rows of a list, in its order. The indexes contain the kind of product before the order, so the
 * query merges one index range per kind, and for drafts.
 */
export function listedFirst(
  request: ProductFilters & ProductOrder & { count: number | null },
): SQL {
  const { type, count } = request;
  const first = count === null ? sql`` : sql`limit ${count}`;
  const order = orderBy(request);
  const types = type ? [type === "digital"] : [false, true];
  const branches = statusesOf(request).flatMap((status) =>
    types.map(
      (isDigital) => sql`(
      select l.product_id, l.price_cents, l.created_at from product_listings l
      where ${listingConditions({ ...request, status, isDigital })}
      order by ${order} ${first}
    )`,
    ),
  );
  const merged = sql.join(branches, sql` union all `);
  return sql`select * from (${merged}) l order by ${order} ${first}`;
}

const statusesOf = ({ status = "active" }: ProductFilters): readonly ProductStatus[] =>
  status === "any" ? PRODUCT_STATUSES : [status];

const listed = (filters: ProductFilters) =>
  sql`select from product_listings l where ${listingConditions(filters)}`;

type ListingFilters = ProductFilters & { isDigital?: boolean };

/** The conditions on `product_listings l`. */
function listingConditions(filters: ListingFilters): SQL {
  const { categoryId, tagId } = filters;
  const list: ListName =
    categoryId !== undefined
      ? [LISTING_KIND.category, categoryId]
      : tagId !== undefined
        ? [LISTING_KIND.tag, tagId]
        : [LISTING_KIND.all, 0];
  const conditions = [rangeOf(list, { ...filters, as: sql`l` })];
  if (categoryId !== undefined && tagId !== undefined) {
    conditions.push(
      sql`exists (select from product_tags t where t.product_id = l.product_id and t.tag_id = ${tagId})`,
    );
  }
  return sql.join(conditions, sql` and `);
}

/** A list in `product_listings`: its LISTING_KIND, and its label's id. */
type ListName = readonly [kind: number, facetId: number];

/** The conditions on `product_listings`, aliased `as`, for the filtered rows of a list. */
function rangeOf([kind, facetId]: ListName, { as, ...filters }: ListingFilters & { as: SQL }): SQL {
  const { minPriceCents, maxPriceCents, isDigital, type } = filters;
  const kinds = statusesOf(filters).map(
    (status) => sql`${as}.kind = ${status === "draft" ? kind + DRAFT_LISTINGS : kind}`,
  );
  const conditions = [sql`(${sql.join(kinds, sql` or `)})`, sql`${as}.facet_id = ${facetId}`];
  if (isDigital !== undefined) conditions.push(sql`${as}.is_digital = ${isDigital}`);
  else if (type) conditions.push(sql`${as}.is_digital = ${type === "digital"}`);
  if (minPriceCents !== undefined) conditions.push(sql`${as}.price_cents >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`${as}.price_cents <= ${maxPriceCents}`);
  return sql.join(conditions, sql` and `);
}

/**
 * Price first, then date, then the id in the same direction, so that no product is repeated or lost
 * between pages. Unknown dates are last ascending and first descending, PostgreSQL's default.
 */
export function orderBy({ priceSort, dateSort }: ProductOrder): SQL {
  const keys: SQL[] = [];
  if (priceSort) keys.push(sql`price_cents ${sql.raw(priceSort)}`);
  if (dateSort) keys.push(sql`created_at ${sql.raw(dateSort)}`);
  keys.push(sql`product_id ${sql.raw(dateSort ?? priceSort ?? "asc")}`);
  return sql.join(keys, sql`, `);
}

/** The number of products: exact up to `MAX_COUNTED_MATCHES`, above it perhaps an estimate. */
export function countListed(filters: ProductFilters): Promise<number> {
  return cachedCount({ name: "products-count", filters, run: () => countRange(filters) });
}

/** An estimate of the number of products, without reading the rows. */
export const estimateListed = (filters: ProductFilters): Promise<number> =>
  estimateRows(listed(filters));

/** The exact number of products, however many there are. */
function countAllListed(filters: ProductFilters): Promise<number> {
  const run = () => countAll(listed(filters));
  return cachedCount({ name: "products-count-all", filters, run });
}

function cachedCount({
  name,
  filters: { categoryId, tagId, type, minPriceCents, maxPriceCents, status },
  run,
}: {
  name: string;
  filters: ProductFilters;
  run: () => Promise<number>;
}): Promise<number> {
  return cached({
    key: [name, JSON.stringify([categoryId, tagId, type, minPriceCents, maxPriceCents, status])],
    tags: [CACHE_TAGS.catalogue],
    run,
  });
}

async function countRange(filters: ProductFilters): Promise<number> {
  const { categoryId, tagId } = filters;
  const query = listed(filters);
  if (categoryId === undefined || tagId === undefined)
    return countAtMost({ query, max: MAX_COUNTED_ROWS });
  // The planner estimates well how many products of a category have the tag, but it would read all products
  // of the tag. The same range of the tag's own list is shorter.
  return countAtMost({
    estimate: await estimateRows(query),
    query: sql`
      select from product_listings l
      where ${rangeOf([LISTING_KIND.category, categoryId], { ...filters, as: sql`l` })} and exists (
        select from product_listings t
        where ${rangeOf([LISTING_KIND.tag, tagId], { ...filters, as: sql`t` })}
          and t.product_id = l.product_id
      )`,
    max: MAX_COUNTED_MATCHES,
  });
}
