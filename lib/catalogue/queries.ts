import { type SQL, sql } from "drizzle-orm";
import { cache } from "react";
import { db } from "@/db";
import type { Characteristic } from "@/db/schema/catalogue";
import { LISTING_KIND } from "@/db/schema/catalogue";
import { fail } from "@/lib/errors";
import { cached } from "@/lib/http/cache";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/paging";
import {
  CATALOGUE_PAGE_SIZE,
  type CatalogueView,
  type ProductFilters,
  type ProductOrder,
  type ProductType,
  productQuery,
  type SortDirection,
  viewOfQuery,
} from "./schemas";
import { approximateQuery, searchQuery } from "./search";

export type LabelRow = { id: number; name: string; color: string };

/** A product with its labels, as the API shows it. Never holds the download link. */
export type ProductRow = {
  id: number;
  type: ProductType;
  name: string;
  description: string;
  priceCents: number;
  vatRateBp: number;
  image: string | null;
  characteristics: Characteristic[] | null;
  fileSizeKb: number | null;
  fileType: string | null;
  ratingCount: number;
  ratingSum: number;
  salesCount: number;
  /** ISO 8601, UTC. */
  createdAt: string | null;
  defaultCategory: LabelRow;
  categories: LabelRow[];
  tags: LabelRow[];
};

export type ProductPage = Page<ProductRow> & {
  /** Nothing matched the text; these are within a typing error of it. */
  approximate: boolean;
};

/** Above this many rows a total is PostgreSQL's estimate: counting would cost more than the page. */
const COUNT_AT_MOST = 50_000;
/** Up to so many matches are all put in order of relevance … */
const RANKED_MATCHES = 1_000;
/** … and of more of them the best sold. */
const RANKED_BEST_SOLD = 240;

/** One page of the products that match, in the order asked for. */
export async function listProducts(
  request: ProductFilters & ProductOrder & PageRequest,
): Promise<ProductPage> {
  const { search } = request;
  if (!search) return { ...(await listedPage(request)), approximate: false };
  const exact = await searchQuery(search);
  const found = exact ? await searchedPage({ ...request, search, query: exact }) : EMPTY_PAGE;
  if (found.total > 0) return { ...found, approximate: false };
  const near = await approximateQuery(search);
  if (!near || near === exact) return { ...EMPTY_PAGE, approximate: false };
  const similar = await searchedPage({ ...request, search, query: near });
  return { ...similar, approximate: similar.total > 0 };
}

const EMPTY_PAGE: Page<ProductRow> = { items: [], total: 0, hasNext: false };

/** A page without text search: a range of one index of `product_listings`. */
async function listedPage(request: ProductFilters & ProductOrder & PageRequest) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const order = orderBy(request);
  // One index range per kind of product, in order, merged: the kind comes before the order in them.
  const branches = listedKinds(request).map(
    (isDigital) => sql`(
      select l.product_id, l.price_cents, l.created_at
      from product_listings l
      where ${listingConditions({ ...request, isDigital })}
      order by ${order} limit ${offset + limit + 1}
    )`,
  );
  const ids = sql`
    select l.product_id from (${sql.join(branches, sql` union all `)}) l
    order by ${order} limit ${limit + 1} offset ${offset}`;
  const [{ items }, total] = await Promise.all([readInOrder({ ids }), countListed(request)]);
  return pageOf({ items, limit, offset, total });
}

type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: string };

/** A page of a text search. Its cost is bounded, however many products hold a common word. */
async function searchedPage(request: SearchRequest): Promise<Page<ProductRow>> {
  const found = sql`select from products p where ${searchConditions(request)}`;
  const isCommon = (await estimate(found)) > RANKED_MATCHES;
  const isSorted = request.priceSort !== undefined || request.dateSort !== undefined;
  const { items, total } = await readInOrder(
    isCommon
      ? isSorted
        ? sortedAmongMany(request)
        : byRelevanceAmongBestSold(request)
      : amongFew({ ...request, isSorted }),
  );
  return pageOf({
    items,
    limit: request.itemsPerPage,
    offset: offsetOf(request),
    total: total ?? (await countSearched(request)),
  });
}

/** Few matches: all of them are read, counted and put in order. */
function amongFew(request: SearchRequest & { isSorted: boolean }): InOrder {
  const { search, query, itemsPerPage, isSorted } = request;
  const relevance = sql`l.name_key = search_normalise(${search}) desc,
    ts_rank(l.search_vector, ${query}::tsquery) desc, l.sales_count desc, l.product_id`;
  return {
    prelude: sql`with found as materialized (
      select p.id as product_id, p.price_cents, p.created_at, p.name_key, p.search_vector,
        p.sales_count
      from products p where ${searchConditions(request)}
    )`,
    ids: sql`
      select l.product_id from found l order by ${isSorted ? orderBy(request) : relevance}
      limit ${itemsPerPage + 1} offset ${offsetOf(request)}`,
    total: sql`(select count(*)::int from found)`,
  };
}

/** Many matches, sorted: the list is walked in its order until a page of them is found. */
const sortedAmongMany = (request: SearchRequest): InOrder => ({
  ids: sql`
    select l.product_id from product_listings l join products p on p.id = l.product_id
    where ${listingConditions(request)} and ${matches(request)}
    order by ${orderBy(request)}
    limit ${request.itemsPerPage + 1} offset ${offsetOf(request)}`,
});

/**
 * Many matches by relevance: products of exactly that name, then the best sold matches by
 * relevance, then the others by sales. None is read but those of the pages so far.
 */
function byRelevanceAmongBestSold(request: SearchRequest): InOrder {
  const { search, query, itemsPerPage } = request;
  const offset = offsetOf(request);
  const window = Math.max(RANKED_BEST_SOLD, offset + itemsPerPage + 1);
  const name = sql`search_normalise(${search})`;
  const filters = sql.join([sql`true`, ...productConditions(request)], sql` and `);
  return {
    prelude: sql`with named as (
      select p.id, p.sales_count from products p
      where p.name_key = ${name} and ${filters}
      order by p.sales_count desc, p.id limit ${window}
    ), sold as (
      select p.id, p.sales_count, p.search_vector,
        row_number() over (order by p.sales_count desc, p.id) <= ${RANKED_BEST_SOLD} as is_ranked
      from products p
      where ${searchConditions(request)} and p.name_key <> ${name}
      order by p.sales_count desc, p.id limit ${window}
    )`,
    ids: sql`
      select id from (
        select id, 0 as tier, 0::real as relevance, sales_count from named
        union all
        select id, case when is_ranked then 1 else 2 end,
          case when is_ranked then ts_rank(search_vector, ${query}::tsquery) else 0 end,
          sales_count
        from sold
      ) found
      order by tier, relevance desc, sales_count desc, id
      limit ${itemsPerPage + 1} offset ${offset}`,
  };
}

/** A page from its products and the one after. */
function pageOf({
  items,
  limit,
  offset,
  total,
}: {
  items: ProductRow[];
  limit: number;
  offset: number;
  total: number;
}): Page<ProductRow> {
  const hasNext = items.length > limit;
  // An estimate must not contradict what was seen.
  const seen = offset + items.length;
  return {
    items: items.slice(0, limit),
    total: hasNext ? Math.max(total, seen) : items.length > 0 ? seen : total,
    hasNext,
  };
}

const listedKinds = ({ type }: ProductFilters) => (type ? [type === "digital"] : [false, true]);

/** The conditions on `product_listings l`. */
function listingConditions(filters: ProductFilters & { isDigital?: boolean }): SQL {
  const { categoryId, tagId, minPriceCents, maxPriceCents, isDigital, type } = filters;
  const [kind, facetId] =
    categoryId !== undefined
      ? [LISTING_KIND.category, categoryId]
      : tagId !== undefined
        ? [LISTING_KIND.tag, tagId]
        : [LISTING_KIND.all, 0];
  const conditions = [sql`l.kind = ${kind}`, sql`l.facet_id = ${facetId}`];
  if (isDigital !== undefined) conditions.push(sql`l.is_digital = ${isDigital}`);
  else if (type) conditions.push(sql`l.is_digital = ${type === "digital"}`);
  if (minPriceCents !== undefined) conditions.push(sql`l.price_cents >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`l.price_cents <= ${maxPriceCents}`);
  if (categoryId !== undefined && tagId !== undefined) {
    conditions.push(
      sql`exists (select from product_tags t where t.product_id = l.product_id and t.tag_id = ${tagId})`,
    );
  }
  return sql.join(conditions, sql` and `);
}

const matches = ({ query }: { query: string }) => sql`p.search_vector @@ ${query}::tsquery`;

/** All conditions of a search on `products p`. */
const searchConditions = (filters: ProductFilters & { query: string }) =>
  sql.join([matches(filters), ...productConditions(filters)], sql` and `);

/** The filters of a search, as conditions on `products p`. */
function productConditions(filters: ProductFilters): SQL[] {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents } = filters;
  const conditions: SQL[] = [];
  if (type) conditions.push(sql`p.type = ${type}`);
  if (minPriceCents !== undefined) conditions.push(sql`p.price_cents >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`p.price_cents <= ${maxPriceCents}`);
  const isListed = (kind: number, facetId: number) => sql`exists (
    select from product_listings l where l.kind = ${kind} and l.facet_id = ${facetId}
      and l.is_digital = (p.type = 'digital') and l.product_id = p.id
  )`;
  if (categoryId !== undefined) conditions.push(isListed(LISTING_KIND.category, categoryId));
  if (tagId !== undefined) conditions.push(isListed(LISTING_KIND.tag, tagId));
  return conditions;
}

/**
 * Price first, then date, then the id in the same direction, so that no product repeats or is lost
 * between pages. PostgreSQL puts unknown dates last ascending and first descending, as we want.
 */
function orderBy({ priceSort, dateSort }: ProductOrder): SQL {
  const direction = (sort: SortDirection) => sql.raw(sort);
  const keys: SQL[] = [];
  if (priceSort) keys.push(sql`l.price_cents ${direction(priceSort)}`);
  if (dateSort) keys.push(sql`l.created_at ${direction(dateSort)}`);
  keys.push(sql`l.product_id ${direction(dateSort ?? priceSort ?? "asc")}`);
  return sql.join(keys, sql`, `);
}

function countListed(filters: ProductFilters): Promise<number> {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents } = filters;
  return cached({
    key: [
      "products-count",
      JSON.stringify([categoryId, tagId, type, minPriceCents, maxPriceCents]),
    ],
    tags: [CACHE_TAGS.catalogue],
    run: () => countAtMost(sql`select from product_listings l where ${listingConditions(filters)}`),
  });
}

function countSearched(filters: ProductFilters & { query: string }): Promise<number> {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents, query } = filters;
  return cached({
    key: [
      "search-count",
      JSON.stringify([query, categoryId, tagId, type, minPriceCents, maxPriceCents]),
    ],
    tags: [CACHE_TAGS.catalogue],
    run: () => countAtMost(sql`select from products p where ${searchConditions(filters)}`),
  });
}

/** Counts rows where they are few enough, and believes PostgreSQL's estimate where not. */
async function countAtMost(query: SQL): Promise<number> {
  const estimated = await estimate(query);
  if (estimated > COUNT_AT_MOST) return estimated;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${query} limit ${2 * COUNT_AT_MOST}) rows`,
  );
  return rows[0]?.count ?? 0;
}

/** The planner's guess of how many rows a query finds. */
async function estimate(query: SQL): Promise<number> {
  const { rows } = await db.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${query}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

const productColumns = sql`
  p.id, p.type, p.name, p.description, p.price_cents as "priceCents", p.vat_rate_bp as "vatRateBp",
  p.image, p.characteristics, p.file_size_kb as "fileSizeKb", p.file_type as "fileType",
  p.rating_count as "ratingCount", p.rating_sum as "ratingSum", p.sales_count as "salesCount",
  to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as "createdAt",
  p.default_category_id as "defaultCategoryId",
  array(select category_id from product_categories c where c.product_id = p.id order by 1) as "categoryIds",
  array(select tag_id from product_tags t where t.product_id = p.id order by 1) as "tagIds"
`;

type RawProduct = Omit<ProductRow, "defaultCategory" | "categories" | "tags"> & {
  defaultCategoryId: number;
  categoryIds: number[];
  tagIds: number[];
  total: number | null;
};

type InOrder = {
  /** A query that gives product ids in the order wanted. */
  ids: SQL;
  /** What both others may refer to: `with …`. */
  prelude?: SQL;
  /** How many there are in all, where that is known. */
  total?: SQL;
};

/** The products that a query names, in its order: one question to the database, not two. */
async function readInOrder({ ids, prelude = sql``, total = sql`null` }: InOrder) {
  const { rows } = await db.execute<RawProduct>(sql`
    ${prelude}
    select ${productColumns}, ${total} as total
    from unnest(array(${ids})) with ordinality as wanted (id, place)
    join products p on p.id = wanted.id
    order by wanted.place
  `);
  return { items: await withLabels(rows), total: rows[0]?.total ?? null };
}

/** The products with these ids, in their order; unknown ids are passed over. */
export async function listProductsByIds(ids: readonly number[]): Promise<ProductRow[]> {
  if (ids.length === 0) return [];
  return (await readInOrder({ ids: sql`select unnest(${sql.param([...ids])}::int[])` })).items;
}

export async function getProduct(id: number): Promise<ProductRow | null> {
  return (await listProductsByIds([id]))[0] ?? null;
}

/** Puts names and colours to the ids of categories and tags, which are few and cached. */
async function withLabels(rows: readonly RawProduct[]): Promise<ProductRow[]> {
  const [categories, tags] = await Promise.all([labelsById(listCategories), labelsById(listTags)]);
  const named = (labels: Map<number, LabelRow>, id: number) =>
    labels.get(id) ?? { id, name: "", color: "#eeeeee" };
  return rows.map(({ defaultCategoryId, categoryIds, tagIds, total: _, ...row }) => ({
    ...row,
    defaultCategory: named(categories, defaultCategoryId),
    categories: categoryIds.map((id) => named(categories, id)),
    tags: tagIds.map((id) => named(tags, id)),
  }));
}

async function labelsById(list: () => Promise<LabelRow[]>) {
  return new Map((await list()).map((label) => [label.id, label]));
}

/** All categories, by name. */
export const listCategories = () => listLabels({ table: "categories", tag: CACHE_TAGS.categories });

/** All tags, by name. */
export const listTags = () => listLabels({ table: "tags", tag: CACHE_TAGS.tags });

function listLabels({ table, tag }: { table: "categories" | "tags"; tag: string }) {
  return cached<LabelRow[]>({
    key: ["labels", table],
    tags: [tag],
    run: async () => {
      const query = sql`select id, name, color from ${sql.identifier(table)} order by lower(name), id`;
      return (await db.execute<LabelRow>(query)).rows;
    },
  });
}

/** One page of the categories. */
export const listCategoriesPage = async (request: PageRequest) =>
  slice(await listCategories(), request);

/** One page of the tags. */
export const listTagsPage = async (request: PageRequest) => slice(await listTags(), request);

function slice(labels: LabelRow[], request: PageRequest): Page<LabelRow> {
  const offset = offsetOf(request);
  return { items: labels.slice(offset, offset + request.itemsPerPage), total: labels.length };
}

/** The category, or null. */
export const getCategory = async (id: number) => withId(await listCategories(), id);

/** The tag, or null. */
export const getTag = async (id: number) => withId(await listTags(), id);

const withId = (labels: LabelRow[], id: number) => labels.find((label) => label.id === id) ?? null;

/** The category; 404 where there is none. */
export const requireCategory = async (id: number) => found(await getCategory(id));

/** The tag; 404 where there is none. */
export const requireTag = async (id: number) => found(await getTag(id));

/** The product; 404 where there is none. */
export const requireProduct = async (id: number) => found(await getProduct(id));

function found<T>(row: T | null): T {
  if (row === null) throw fail.notFound();
  return row;
}

/** The view that query parameters ask for, or null where they hold a value that cannot be. */
export function parseView(
  parameters: Record<string, string | string[] | undefined>,
): CatalogueView | null {
  const single = Object.entries(parameters).map(([name, value]) => [name, [value].flat().at(-1)]);
  const sent = single.filter(([, value]) => value !== undefined && value !== "");
  const parsed = productQuery.safeParse(Object.fromEntries(sent));
  return parsed.success ? viewOfQuery(parsed.data) : null;
}

/** What a view of the catalogue shows, or null where its category, tag or page does not exist. */
export const getCataloguePage = cache(async (view: CatalogueView) => {
  const [categories, tags] = await Promise.all([listCategories(), listTags()]);
  const category = categories.find(({ id }) => id === view.categoryId) ?? null;
  const tag = tags.find(({ id }) => id === view.tagId) ?? null;
  const isUnknown = (view.categoryId && !category) || (view.tagId && !tag);
  if (isUnknown) return null;
  const read = () => listProducts({ ...view, itemsPerPage: CATALOGUE_PAGE_SIZE });
  const page = view.search
    ? await read()
    : await cached({
        key: ["catalogue-page", JSON.stringify(view)],
        tags: [CACHE_TAGS.catalogue, CACHE_TAGS.categories, CACHE_TAGS.tags],
        run: read,
      });
  if (view.page > 1 && page.items.length === 0) return null;
  return { categories, category, tag, page };
});
