import { type SQL, sql } from "drizzle-orm";
import { countAll, countAtMost, estimateRows } from "@/db/count";
import { fromReplica } from "@/db/replica";
import { offsetOf, type Page, type PageRequest, pageBeyondEnd } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { countListed, listedFirst, MAX_COUNTED_MATCHES, orderBy } from "./listings";
import { EMPTY_PAGE, type InOrder, type ProductRow, pageOf, readInOrder } from "./product-rows";
import type { ProductFilters, ProductOrder } from "./schemas";
import { exactQuery, readSearchWords, type TextQuery } from "./search";

// Pages of text searches, with few or very many matches (docs/decisions/006, 040, 046 and 050).

/** Up to so many matches of a text are all read, counted and ranked. */
const MAX_READ_MATCHES = 2_000;
/** The cost of looking up a list row's product, in matches of a text that are read. */
const LOOKUP_COST = 3;
/** The cost of an index entry without its row, in matches that are read. */
const INDEX_ENTRY_COST = 0.1;
/** The cost for the index to compare a match with labels and tiers, in products that are read … */
const COMPARISON_COST = 0.03;
/** … and of each lexeme that it may have matched by. */
const LEXEME_COST = 0.004;
/** So many times the products wanted are in their tiers: there are four for each doubling of the sales. */
const TIER_SURPLUS = 4;
/** Of very many matches so many of the best sold are ranked. */
const RANKED_BEST_SOLD = 48;

type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: TextQuery };

/**
 * A page of a text search. Few matches are all gathered; of very many the page's are looked for first
 * where they should be: at the head of the list, or among the best sold products.
 */
export async function searchedPage(request: SearchRequest): Promise<Page<ProductRow>> {
  const isSorted = request.priceSort !== undefined || request.dateSort !== undefined;
  const estimates = await estimateMatches(request);
  const { textual, labelled, matching, all } = estimates;
  const offset = offsetOf(request);
  if (offset > 0 && offset >= matching) {
    const beyond = await pageBeyondEnd({
      offset,
      total: await countSearched(request),
      maxCounted: MAX_COUNTED_MATCHES,
      countAll: () => countAllSearched(request),
    });
    if (beyond) return beyond;
  }
  // The order must not depend on the page, and this does not.
  const matchesToRead = isIndexed(request.query) ? textual : all;
  const isCommon =
    matchesToRead > MAX_READ_MATCHES &&
    (RANKED_BEST_SOLD * all) / (isSorted ? textual : matching) < matchesToRead;
  const search = {
    ...request,
    isSorted,
    isCommon,
    // The planner assumes that words and labels are independent, which they hardly ever are.
    isGuess: labelled < textual || request.query.tsqueries.length > 1,
  };
  if (!isCommon) return (await gatheredPage(search)) ?? EMPTY_PAGE;
  const page = await (isSorted ? sortedPage : bestSoldPage)({ ...search, estimates });
  return page ?? (await gatheredPage(search)) ?? EMPTY_PAGE;
}

/** Common parts of words are not in the index: without other words all products are read. */
const isIndexed = ({ tsqueries }: TextQuery) => tsqueries.length > 0;

type CommonSearch = SearchRequest & {
  isSorted: boolean;
  isCommon: boolean;
  /** May the estimates of words and labels be far off? */
  isGuess: boolean;
  estimates: Estimates;
};

/**
 * A sorted page of very many matches. The list is scanned in its order until the page is full, if that
 * is likely to be cheaper than to gather all. Estimates can be wrong: a plan that turns out to cost more
 * than the other is given up. Null where both are.
 */
async function sortedPage({ estimates, ...search }: CommonSearch) {
  const { textual, labelled, read, matching, all } = estimates;
  const { query, isGuess, itemsPerPage: limit } = search;
  const offset = offsetOf(search);
  const needed = offset + limit + 1;
  const scan = async (span: number) => {
    if (span >= all) return null;
    const { items } = await readInOrder(sortedWithin({ ...search, span }));
    return items.length > limit ? pageOf({ items, limit, offset, total: matching }) : null;
  };
  const expectedScan = Math.ceil((needed * all) / textual);
  // A scan ends with the page: it may cost as much as the alternative, a full one without an index.
  const alternative = Math.min(isIndexed(query) ? read : all, all / 4);
  const span = Math.ceil(Math.max(1_000 + 2 * expectedScan, alternative / LOOKUP_COST));
  let page: Page<ProductRow> | null = null;
  if (isIndexed(query) && isGuess) {
    // With so many matches both plans would cost the same: neither is followed much longer at first.
    const balance = Math.ceil(Math.sqrt(needed * all * LOOKUP_COST));
    if (4 * labelled > balance) page = await scan(Math.min(Math.ceil(balance / LOOKUP_COST), span));
    page ??= await gatheredPage({ ...search, maxMatches: 2 * balance });
  } else if (isIndexed(query)) {
    const priced = read < textual ? (all * read) / textual : 0;
    if (read + INDEX_ENTRY_COST * (textual + priced) <= LOOKUP_COST * expectedScan)
      page = await gatheredPage({ ...search, maxMatches: LOOKUP_COST * expectedScan });
  }
  return page ?? (await scan(span));
}

/**
 * A page by relevance of very many matches, from as many of the best sold products as should hold enough
 * of them, then from more. They are read one by one, or by the index, whichever is likely to be cheaper.
 * Null where all matches are cheaper still, and where the page is not among the best sold.
 */
async function bestSoldPage({ estimates, isGuess, ...request }: CommonSearch) {
  const { textual, labelled, matching, all } = estimates;
  const { query } = request;
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const needed = Math.max(offset + limit + 1, RANKED_BEST_SOLD);
  const margin = isGuess ? 4 : 2;
  const lexemes = (query.tsqueries.join().split("'").length - 1) / 2;
  const indexCost = textual * (COMPARISON_COST + LEXEME_COST * lexemes);
  const gatheringCost = isIndexed(query) ? indexCost + labelled : all;
  for (let expected = Math.ceil((needed * all) / matching); ; ) {
    const tieredCost = isIndexed(query)
      ? indexCost + (TIER_SURPLUS * margin * labelled * expected) / all
      : Number.POSITIVE_INFINITY;
    if (Math.min(tieredCost, expected) >= gatheringCost) return null;
    const isTiered = tieredCost < expected;
    // Reading one by one ends with the page: it may cost as much as gathering.
    const least = isTiered || isGuess ? 0 : Math.min(gatheringCost, all / 4);
    const count = Math.ceil(Math.max(margin * expected, least));
    if (count >= all) return null;
    const among = isTiered
      ? sql`select * from products p where ${isSoldFrom(await salesOf(count))}`
      : sql`select * from products p order by ${BEST_SOLD} limit ${count}`;
    const { items } = await readInOrder(bestSoldWithin({ ...request, among }));
    if (items.length > limit) return pageOf({ items, limit, offset, total: matching });
    expected = (16 * count) / margin;
  }
}

/** A page from all matches; null where they are more than `maxMatches`. */
async function gatheredPage({
  isSorted,
  isCommon,
  isGuess,
  maxMatches,
  ...request
}: Omit<CommonSearch, "estimates"> & { maxMatches?: number }) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const { items, total } = await readInOrder({
    ...gathered({ ...request, isGuess, maxMatches, isRanked: !isSorted && !isCommon }),
    ids: isSorted
      ? sql`
        select l.product_id from found l order by ${orderBy(request)}
        limit ${limit + 1} offset ${offset}`
      : isCommon
        ? bestSoldByRelevance({ ...request, source: sql`found p` })
        : byRelevance(request),
  });
  if (maxMatches !== undefined && (total ?? maxMatches + 1) > maxMatches) return null;
  // Far beyond the last page the number of matches is unknown.
  const isNothing = items.length === 0 && offset === 0;
  const known = total ?? (isNothing ? 0 : await countSearched(request));
  return pageOf({ items, limit, offset, total: known });
}

/** Estimates of how many products match … */
interface Estimates {
  /** … the text, */
  textual: number;
  /** … the text and the labels, */
  labelled: number;
  /** … all filters that have an index, */
  read: number;
  /** … all filters; */
  matching: number;
  /** and of how many there are. */
  all: number;
}

async function estimateMatches(request: SearchRequest): Promise<Estimates> {
  const { query, categoryId, tagId, type, minPriceCents, maxPriceCents } = request;
  const estimate = (filters: ProductFilters) =>
    estimateRows(
      sql`select from products p where ${searchConditions({ ...filters, query })}`,
      fromReplica,
    );
  const textual = await estimate({});
  const isCheap = textual <= MAX_READ_MATCHES && isIndexed(query);
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
 * `found`: the matches, with what they are sorted by. With `maxMatches`, no more rows are read than that and
 * one; where it is reached, the total is above it.
 *
 * @param isGuess whether the estimates of words and labels may be far off
 * @param isRanked whether to compute the relevance
 */
function gathered({
  maxMatches,
  isGuess,
  isRanked,
  ...request
}: SearchRequest & { maxMatches: number | undefined; isGuess: boolean; isRanked: boolean }): Pick<
  InOrder,
  "prelude" | "total"
> {
  const { query, categoryId, tagId } = request;
  const limit = maxMatches === undefined ? sql`` : sql`limit ${maxMatches + 1}`;
  // Narrow rows without texts, so that many fit in memory.
  const rows = (conditions: SQL) => sql`materialized (
    select p.id, p.id as product_id, p.type, p.price_cents, p.created_at, p.sales_count,
      ${isNamed(request)} as is_named,
      ${isRanked ? relevance(query) : sql`0::real`} as relevance
    from products p where ${conditions} ${limit}
  )`;
  if (!isGuess || maxMatches === undefined)
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
      (select case when (select count(*) from labelled) > ${maxMatches} then ${maxMatches + 1} else count(*) end
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

/** The matches `among` the best sold products; nothing where they are too few to be ranked. */
const bestSoldWithin = ({ among, ...request }: SearchRequest & { among: SQL }): InOrder => ({
  ids: bestSoldByRelevance({
    ...request,
    source: sql`(
      select p.id, p.sales_count, ${isNamed(request)} as is_named
      from (${among}) p where ${searchConditions(request)}
    ) p`,
    isPart: true,
  }),
});

/** As the index has it, "nulls last" included, although there are none. */
const BEST_SOLD = sql`p.sales_count desc nulls last, p.id`;

/**
 * Is the product of the tier of so many sales, or of a higher one? Written as in the index:
 * products_search_sales_idx. Only tiers that exist are looked up.
 */
const isSoldFrom = (sales: number): SQL => sql`
  array[sales_tier(p.sales_count)] && array(select generate_series(
    sales_tier(${sales}::int), (select sales_tier(max(sales_count)) from products)))`;

/** The largest number of sales that about so many products have, or up to twice as many. */
function salesOf(count: number): Promise<number> {
  const least = 2 ** Math.ceil(Math.log2(count));
  return cached({
    key: ["sales-of", String(least)],
    tags: [],
    run: async () => {
      let [low, high] = [0, 2 ** 31 - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        const query = sql`select from products where sales_count >= ${middle}`;
        if ((await estimateRows(query, fromReplica)) >= least) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  });
}

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
  const rank = sql`(select ${relevance(query)} from products p where p.id = sold.id)`;
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
        case when is_ranked then ${rank} else 0 end,
        sales_count
      from sold
    ) ranked
    where ${isEnough}
    order by tier, relevance desc, sales_count desc, id
    limit ${itemsPerPage + 1} offset ${offset}`;
}

/** The text of a search as a condition on `products p`. */
function matches({ query: { tsqueries, commonParts } }: { query: TextQuery }): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  const indexed = tsqueries.map((tsquery) => sql`p.search_vector @@ ${tsquery}::tsquery`);
  return sql.join([...indexed, ...conditions], sql` and `);
}

/** The rank of `products p`; single letters in the name outweigh everything else. */
function relevance({ ranking, letters }: TextQuery): SQL {
  const rank = ranking ? sql`ts_rank(p.search_vector, ${ranking}::tsquery)` : sql`0::real`;
  const held = letters.map(
    (letter) => sql`(' ' || p.name_key || ' ' like ${`% ${letter} %`})::int::real`,
  );
  return sql`(${sql.join([rank, ...held], sql` + `)})`;
}

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
function countSearched(search: Search): Promise<number> {
  const query = sql`select from products p where ${searchConditions(search)}`;
  const run = () => countAtMost({ read: fromReplica, query, max: MAX_COUNTED_MATCHES });
  return cachedCount({ name: "search-count", search, run });
}

/** The same, exact however many match. */
function countAllSearched(search: Search): Promise<number> {
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
