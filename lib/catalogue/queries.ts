import { type SQL, sql } from "drizzle-orm";
import { cache } from "react";
import { countAtMost, estimateRows } from "@/db/count";
import { fromReplica } from "@/db/replica";
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
import { approximateQuery, exactQuery, readSearchWords, type TextQuery } from "./search";

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
const COUNTED_ROWS = 50_000;
/** The same where the table is read for each row, instead of an index alone. */
const COUNTED_MATCHES = 10_000;
/** Up to so many matches of a text are all read, counted and put in order of relevance. */
const READ_MATCHES = 2_000;
/** Looking up the product of a row in a list costs as much as reading so many matches of a text. */
const LOOKUP = 3;
/** Reading an entry of the index of words, or of prices, without its row costs so much of a match. */
const ENTRY = 0.1;
/** Of very many matches so many of the best sold are put in order of relevance. */
const RANKED_BEST_SOLD = 48;

/** One page of the products that match, in the order asked for. */
export async function listProducts(
  request: ProductFilters & ProductOrder & PageRequest,
): Promise<ProductPage> {
  const { search } = request;
  if (!search) return { ...(await listedPage(request)), approximate: false };
  const words = await readSearchWords(search);
  const exact = exactQuery(words);
  const found = exact ? await searchedPage({ ...request, search, query: exact }) : EMPTY_PAGE;
  if (found.total > 0) return { ...found, approximate: false };
  const near = await approximateQuery(words);
  if (!near) return { ...EMPTY_PAGE, approximate: false };
  const similar = await searchedPage({ ...request, search, query: near });
  return { ...similar, approximate: similar.total > 0 };
}

const EMPTY_PAGE: Page<ProductRow> = { items: [], total: 0, hasNext: false };

/** A page without text search: a range of one index of `product_listings`. */
async function listedPage(request: ProductFilters & ProductOrder & PageRequest) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const ids = sql`
    select l.product_id from (${listedFirst({ ...request, count: offset + limit + 1 })}) l
    order by ${orderBy(request)} limit ${limit + 1} offset ${offset}`;
  const [{ items }, total] = await Promise.all([readInOrder({ ids }), countListed(request)]);
  return pageOf({ items, limit, offset, total });
}

/**
 * The first rows of a list, in its order: one index range per kind of product, merged, since the
 * kind comes before the order in the indexes.
 */
function listedFirst(request: ProductFilters & ProductOrder & { count: number }): SQL {
  const { type, count } = request;
  const order = orderBy(request);
  const branches = (type ? [type === "digital"] : [false, true]).map(
    (isDigital) => sql`(
      select l.product_id, l.price_cents, l.created_at from product_listings l
      where ${listingConditions({ ...request, isDigital })}
      order by ${order} limit ${count}
    )`,
  );
  const merged = sql.join(branches, sql` union all `);
  return sql`select * from (${merged}) l order by ${order} limit ${count}`;
}

type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: TextQuery };

/**
 * A page of a text search. Few matches are all gathered. Where many match, a list is walked in its
 * order, or the best sold products are, until the page is full, if that is likely to be the shorter
 * way. Estimates can be wrong: a way that turns out to be longer than the other is given up.
 */
async function searchedPage(request: SearchRequest): Promise<Page<ProductRow>> {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const { tsquery } = request.query;
  const isSorted = request.priceSort !== undefined || request.dateSort !== undefined;
  const { textual, labelled, read, matching, all } = await estimateMatches(request);
  // The planner takes words and labels for independent of each other, which they hardly ever are.
  const isGuess = labelled < textual || (tsquery?.includes("&") ?? false);
  const walking = (count: number) => Math.ceil((count * all) / (isSorted ? textual : matching));
  // The order must not depend on the page: this does not.
  const reading = tsquery ? textual : all;
  const isCommon = reading > READ_MATCHES && walking(RANKED_BEST_SOLD) < reading;
  const gather = (most?: number) => gatheredPage({ ...request, isSorted, isCommon, isGuess, most });
  if (!isCommon) return (await gather()) ?? EMPTY_PAGE;

  const walk = async (span: number) => {
    if (span >= all) return null;
    const { items } = await readInOrder(
      isSorted ? sortedWithin({ ...request, span }) : bestSoldWithin({ ...request, span }),
    );
    return items.length > limit ? pageOf({ items, limit, offset, total: matching }) : null;
  };
  const needed = Math.max(offset + limit + 1, isSorted ? 0 : RANKED_BEST_SOLD);
  const row = isSorted ? LOOKUP : 1;
  const way = walking(needed);
  // A walk ends with the page: it may be as long as the other way, which is all where no index is asked.
  const other = Math.min(tsquery ? read : all, all / 4);
  const span = Math.ceil(Math.max(1_000 + 2 * way, other / row));
  let page: Page<ProductRow> | null = null;
  if (tsquery && isGuess) {
    // With so many matches both ways would be equally long: none is gone much farther at first.
    const balance = Math.ceil(Math.sqrt(needed * all * row));
    if (4 * labelled > balance) page = await walk(Math.min(Math.ceil(balance / row), span));
    page ??= await gather(2 * balance);
  } else if (tsquery) {
    const priced = read < textual ? (all * read) / textual : 0;
    if (read + ENTRY * (textual + priced) <= row * way) page = await gather(row * way);
  }
  return page ?? (await walk(span)) ?? (await gather()) ?? EMPTY_PAGE;
}

/** A page from all matches; null where they are more than `most`. */
async function gatheredPage({
  isSorted,
  isCommon,
  isGuess,
  most,
  ...request
}: SearchRequest & {
  isSorted: boolean;
  isCommon: boolean;
  isGuess: boolean;
  most: number | undefined;
}) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const { items, total } = await readInOrder({
    ...gathered({ ...request, isGuess, most, isRanked: !isSorted && !isCommon }),
    ids: isSorted
      ? sql`
        select l.product_id from found l order by ${orderBy(request)}
        limit ${limit + 1} offset ${offset}`
      : isCommon
        ? bestSoldByRelevance({ ...request, source: sql`found p` })
        : byRelevance(request),
  });
  if (most !== undefined && (total ?? most + 1) > most) return null;
  // Far behind the last page nothing says how many there are before it.
  const isNothing = items.length === 0 && offset === 0;
  const known = total ?? (isNothing ? 0 : await countSearched(request));
  return pageOf({ items, limit, offset, total: known });
}

/**
 * About how many products match the text, those of them with the labels, those that an index gives for
 * all filters that have one, those that all filters let through, and how many there are in all.
 */
async function estimateMatches(request: SearchRequest) {
  const { query, categoryId, tagId } = request;
  const estimate = (filters: ProductFilters) =>
    estimateRows(
      sql`select from products p where ${searchConditions({ ...filters, query })}`,
      fromReplica,
    );
  const textual = await estimate({});
  const isCheap = textual <= READ_MATCHES && query.tsquery !== null;
  if (isCheap)
    return { textual, labelled: textual, read: textual, matching: textual, all: textual };
  const estimateOf = (filters: ProductFilters) =>
    isFiltered(filters) ? estimate(filters) : textual;
  const [labelled, read, matching, all] = await Promise.all([
    estimateOf({ categoryId, tagId }),
    estimateOf({ ...request, type: undefined }),
    estimateOf(request),
    countListed({}),
  ]);
  return { textual, labelled, read, matching, all };
}

/**
 * `found`: the matches, with what they are sorted by. With `most`, no more rows are read than that and
 * one; where it is reached, the total is above it.
 *
 * @param isGuess whether the planner may be far off with words and labels
 * @param isRanked whether the relevance of each is wanted
 */
function gathered({
  most,
  isGuess,
  isRanked,
  ...request
}: SearchRequest & { most: number | undefined; isGuess: boolean; isRanked: boolean }): Pick<
  InOrder,
  "prelude" | "total"
> {
  const { query, categoryId, tagId } = request;
  const limit = most === undefined ? sql`` : sql`limit ${most + 1}`;
  // Narrow rows, without texts: many may be kept in memory.
  const rows = (conditions: SQL) => sql`materialized (
    select p.id, p.id as product_id, p.type, p.price_cents, p.created_at, p.sales_count,
      ${isNamed(request)} as is_named,
      ${isRanked ? relevance({ of: sql`p.search_vector`, query }) : sql`0::real`} as relevance
    from products p where ${conditions} ${limit}
  )`;
  if (!isGuess || most === undefined)
    return {
      prelude: sql`with found as ${rows(searchConditions(request, { byPrice: !isGuess }))}`,
      total: sql`(select count(*)::int from found)`,
    };
  const rest = productConditions({ ...request, categoryId: undefined, tagId: undefined });
  return {
    prelude: sql`
      with labelled as ${rows(searchConditions({ query, categoryId, tagId }))},
      found as materialized (
        select * from labelled p where ${sql.join([sql`true`, ...rest], sql` and `)}
      )`,
    total: sql`
      (select case when (select count(*) from labelled) > ${most} then ${most + 1} else count(*) end
        from found)::int`,
  };
}

/** All of `found`: products of exactly that name, then by relevance, then by sales. */
const byRelevance = (request: SearchRequest): SQL => sql`
  select f.id from found f
  order by f.is_named desc, f.relevance desc, f.sales_count desc, f.id
  limit ${request.itemsPerPage + 1} offset ${offsetOf(request)}`;

/** Is that exactly the name of `products p`? */
const isNamed = ({ search }: { search: string }) => sql`p.name_key = search_normalise(${search})`;

/** The matches among the first `span` products of the list. */
const sortedWithin = (request: SearchRequest & { span: number }): InOrder => ({
  ids: sql`
    select l.product_id from (${listedFirst({ ...request, count: request.span })}) l
    join products p on p.id = l.product_id
    where ${matches(request)} order by ${orderBy(request)}
    limit ${request.itemsPerPage + 1} offset ${offsetOf(request)}`,
});

/** The matches among the `span` best sold products; nothing where they are too few to be ranked. */
const bestSoldWithin = (request: SearchRequest & { span: number }): InOrder => ({
  ids: bestSoldByRelevance({
    ...request,
    source: sql`(
      select p.id, p.sales_count, ${isNamed(request)} as is_named
      from (select * from products p order by ${BEST_SOLD} limit ${request.span}) p
      where ${searchConditions(request)}
    ) p`,
    isPart: true,
  }),
});

/** As the index has it, "nulls last" included, although there are none. */
const BEST_SOLD = sql`p.sales_count desc nulls last, p.id`;

/**
 * The order of relevance where very many match: products of exactly that name, then the best sold
 * matches by relevance, then the others by sales.
 *
 * @param source the matches, or, where it `isPart`, the best sold of them
 */
function bestSoldByRelevance({
  source,
  isPart = false,
  ...request
}: SearchRequest & { source: SQL; isPart?: boolean }): SQL {
  const { query, itemsPerPage } = request;
  const offset = offsetOf(request);
  const window = Math.max(RANKED_BEST_SOLD, offset + itemsPerPage + 1);
  const named = sql.join([isNamed(request), ...productConditions(request)], sql` and `);
  const isEnough = isPart ? sql`(select count(*) from sold) = ${window}` : sql`true`;
  const vector = sql`(select p.search_vector from products p where p.id = sold.id)`;
  return sql`
    with named as (
      select p.id, p.sales_count from products p
      where ${named}
      order by p.sales_count desc, p.id limit ${window}
    ), sold as (
      select p.id, p.sales_count,
        row_number() over (order by ${BEST_SOLD}) <= ${RANKED_BEST_SOLD} as is_ranked
      from ${source}
      where not p.is_named
      order by ${BEST_SOLD} limit ${window}
    )
    select id from (
      select id, 0 as tier, 0::real as relevance, sales_count from named
      union all
      select id, case when is_ranked then 1 else 2 end,
        case when is_ranked then ${relevance({ of: vector, query })} else 0 end,
        sales_count
      from sold
    ) ranked
    where ${isEnough}
    order by tier, relevance desc, sales_count desc, id
    limit ${itemsPerPage + 1} offset ${offset}`;
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

/** What the list is of, as LISTING_KIND, and the label's id. */
type ListName = readonly [kind: number, facetId: number];

/** The conditions on `product_listings`, called `as`, for the part of one list that the filters let through. */
function rangeOf([kind, facetId]: ListName, { as, ...filters }: ListingFilters & { as: SQL }): SQL {
  const { minPriceCents, maxPriceCents, isDigital, type } = filters;
  const conditions = [sql`${as}.kind = ${kind}`, sql`${as}.facet_id = ${facetId}`];
  if (isDigital !== undefined) conditions.push(sql`${as}.is_digital = ${isDigital}`);
  else if (type) conditions.push(sql`${as}.is_digital = ${type === "digital"}`);
  if (minPriceCents !== undefined) conditions.push(sql`${as}.price_cents >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`${as}.price_cents <= ${maxPriceCents}`);
  return sql.join(conditions, sql` and `);
}

/** The text of a search as a condition on `products p`. */
function matches({ query: { tsquery, commonParts } }: { query: TextQuery }): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  if (tsquery) conditions.unshift(sql`p.search_vector @@ ${tsquery}::tsquery`);
  return sql.join(conditions, sql` and `);
}

/** How much of the text a product holds, and where. */
const relevance = ({ of, query: { ranking } }: { of: SQL; query: TextQuery }): SQL =>
  ranking ? sql`ts_rank(${of}, ${ranking}::tsquery)` : sql`0::real`;

const isFiltered = ({ categoryId, tagId, type, minPriceCents, maxPriceCents }: ProductFilters) =>
  [categoryId, tagId, type, minPriceCents, maxPriceCents].some((filter) => filter !== undefined);

/** All conditions of a search on `products p`. */
const searchConditions = (
  filters: ProductFilters & { query: TextQuery },
  how?: { byPrice: boolean },
) => sql.join([...productConditions(filters, how), matches(filters)], sql` and `);

/** Filters and a search text, as conditions on `products p`; null where no product can match. */
export async function filterConditions(filters: ProductFilters): Promise<SQL[] | null> {
  const conditions = productConditions(filters);
  if (!filters.search) return conditions;
  const query = exactQuery(await readSearchWords(filters.search));
  return query && [matches({ query }), ...conditions];
}

/**
 * The filters of a search, as conditions on `products p`.
 *
 * @param byPrice whether the index of prices may be asked: it gives all products between two prices
 */
function productConditions(filters: ProductFilters, { byPrice = true } = {}): SQL[] {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents } = filters;
  const conditions: SQL[] = [];
  const price = byPrice ? sql`p.price_cents` : sql`p.price_cents + 0`;
  if (type) conditions.push(sql`p.type = ${type}`);
  if (minPriceCents !== undefined) conditions.push(sql`${price} >= ${minPriceCents}`);
  if (maxPriceCents !== undefined) conditions.push(sql`${price} <= ${maxPriceCents}`);
  // Written as in the index of the words: products_search_idx.
  if (categoryId !== undefined)
    conditions.push(sql`(p.category_ids || p.default_category_id) @> array[${categoryId}::int]`);
  if (tagId !== undefined) conditions.push(sql`p.tag_ids @> array[${tagId}::int]`);
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
    run: () => countRange(filters),
  });
}

async function countRange(filters: ProductFilters): Promise<number> {
  const { categoryId, tagId } = filters;
  const query = sql`select from product_listings l where ${listingConditions(filters)}`;
  const most = COUNTED_ROWS;
  if (categoryId === undefined || tagId === undefined)
    return countAtMost({ read: fromReplica, query, most });
  // The planner guesses well how many of a category have the tag, but would read all that have it:
  // the same part of the tag's own list is shorter.
  return countAtMost({
    read: fromReplica,
    estimate: await estimateRows(query, fromReplica),
    query: sql`
      select from product_listings l
      where ${rangeOf([LISTING_KIND.category, categoryId], { ...filters, as: sql`l` })} and exists (
        select from product_listings t
        where ${rangeOf([LISTING_KIND.tag, tagId], { ...filters, as: sql`t` })}
          and t.product_id = l.product_id
      )`,
    most: COUNTED_MATCHES,
  });
}

function countSearched(filters: ProductFilters & { query: TextQuery }): Promise<number> {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents, query } = filters;
  return cached({
    key: [
      "search-count",
      JSON.stringify([query, categoryId, tagId, type, minPriceCents, maxPriceCents]),
    ],
    tags: [CACHE_TAGS.catalogue],
    run: () =>
      countAtMost({
        read: fromReplica,
        query: sql`select from products p where ${searchConditions(filters)}`,
        most: COUNTED_MATCHES,
      }),
  });
}

const productColumns = sql`
  p.id, p.type, p.name, p.description, p.price_cents as "priceCents", p.vat_rate_bp as "vatRateBp",
  p.image, p.characteristics, p.file_size_kb as "fileSizeKb", p.file_type as "fileType",
  p.rating_count as "ratingCount", p.rating_sum as "ratingSum", p.sales_count as "salesCount",
  to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as "createdAt",
  p.default_category_id as "defaultCategoryId",
  p.category_ids as "categoryIds", p.tag_ids as "tagIds"
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
  const { rows } = await fromReplica((db) =>
    db.execute<RawProduct>(sql`
    ${prelude}
    select ${productColumns}, ${total} as total
    from unnest(array(${ids})) with ordinality as wanted (id, place)
    join products p on p.id = wanted.id
    order by wanted.place
  `),
  );
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
const listCategories = () => listLabels({ table: "categories", tag: CACHE_TAGS.categories });

/** All tags, by name. */
export const listTags = () => listLabels({ table: "tags", tag: CACHE_TAGS.tags });

function listLabels({ table, tag }: { table: "categories" | "tags"; tag: string }) {
  return cached<LabelRow[]>({
    key: ["labels", table],
    tags: [tag],
    run: async () => {
      const query = sql`select id, name, color from ${sql.identifier(table)} order by lower(name), id`;
      return (await fromReplica((db) => db.execute<LabelRow>(query))).rows;
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
