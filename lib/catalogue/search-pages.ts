import { type SQL, sql } from "drizzle-orm";
import { countAtMost, estimateRows } from "@/db/count";
import { fromReplica } from "@/db/replica";
import { cached } from "@/lib/http/cache";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/paging";
import { COUNTED_MATCHES, countListed, listedFirst, orderBy } from "./listings";
import { EMPTY_PAGE, type InOrder, type ProductRow, pageOf, readInOrder } from "./product-rows";
import type { ProductFilters, ProductOrder } from "./schemas";
import { exactQuery, readSearchWords, type TextQuery } from "./search";

// Pages of what a text finds, few matches or very many (docs/decisions/006, 040 and 046).

/** Up to so many matches of a text are all read, counted and put in order of relevance. */
const READ_MATCHES = 2_000;
/** Looking up the product of a row in a list costs as much as reading so many matches of a text. */
const LOOKUP = 3;
/** Reading an entry of the index of words, or of prices, without its row costs so much of a match. */
const ENTRY = 0.1;
/** Of very many matches so many of the best sold are put in order of relevance. */
const RANKED_BEST_SOLD = 48;

type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: TextQuery };

/**
 * A page of a text search. Few matches are all gathered. Where many match, a list is walked in its
 * order, or the best sold products are, until the page is full, if that is likely to be the shorter
 * way. Estimates can be wrong: a way that turns out to be longer than the other is given up.
 */
export async function searchedPage(request: SearchRequest): Promise<Page<ProductRow>> {
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
  const { query, categoryId, tagId, type, minPriceCents, maxPriceCents } = request;
  const estimate = (filters: ProductFilters) =>
    estimateRows(
      sql`select from products p where ${searchConditions({ ...filters, query })}`,
      fromReplica,
    );
  const textual = await estimate({});
  const isCheap = textual <= READ_MATCHES && query.tsquery !== null;
  if (isCheap)
    return { textual, labelled: textual, read: textual, matching: textual, all: textual };
  const hasLabel = (categoryId ?? tagId) !== undefined;
  const hasPrices = (minPriceCents ?? maxPriceCents) !== undefined;
  const [labelled, priced, typed, all] = await Promise.all([
    hasLabel ? estimate({ categoryId, tagId }) : textual,
    hasPrices ? estimate({ ...request, type: undefined }) : null,
    type ? estimate(request) : null,
    countListed({}),
  ]);
  const read = priced ?? labelled;
  return { textual, labelled, read, matching: typed ?? read, all };
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

/** All conditions of a search on `products p`. */
const searchConditions = (
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
 * @param byPrice whether the index of prices may be asked: it gives all products between two prices
 */
export function productConditions(filters: ProductFilters, { byPrice = true } = {}): SQL[] {
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
