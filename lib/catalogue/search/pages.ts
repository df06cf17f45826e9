import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { countAll, estimateRows } from "@/db/count";
import { firstMatches, gatherMatches, type MatchSearch, shareOf } from "@/db/first-matches";
import { conditionsOf } from "@/lib/catalogue/conditions";
import { filtersOf, hasFurtherFilters } from "@/lib/catalogue/filters";
import { countListed, estimateListed, listedFirst, orderBy } from "@/lib/catalogue/listings";
import { listProductsByIds, type ProductRow } from "@/lib/catalogue/product-rows";
import type { ProductFilters, ProductOrder } from "@/lib/catalogue/schemas";
import {
  offsetOf,
  type Page,
  type PageRequest,
  pageBeyondEnd,
  pageOf,
} from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { relevance, type TextQuery, textCondition } from "./words";

// Pages of text searches (docs/decisions/006 and 050).

/** Up to this many estimated matches, all are ranked. */
const MAX_RANKED = 2_000;
/** If there are more than estimated, up to this many matches are still all ranked. */
const MAX_RANKED_IF_UNDERESTIMATED = 2 * MAX_RANKED;
/** With more matches, only this many of the best sold are ranked. */
const RANKED_BEST_SOLD = 48;
/** Costs of reading, in units of one gathered match; measured for docs/decisions/050. */
const COSTS = {
  scanned: {
    /** One product of a list. */
    listed: 3,
    /** One of the best sold products, read one by one. */
    bestSold: 1,
    /** One of the best sold products, where the index gives the matching ones by tiers of sales. */
    bestSoldInTiers: 0.1,
  },
  /** Index costs for each match of a text: to compare it with labels and tiers, and to find each lexeme. */
  compared: 0.03,
  lexeme: 0.004,
};
/** The index reads whole tiers of sales: this many times the wanted products. */
const TIER_SURPLUS = 8;

type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: TextQuery };

/**
 * A page of a text search, in the order of a list or, without a sort, by relevance. The order is the same on
 * all pages.
 */
export async function searchedPage(request: SearchRequest): Promise<Page<ProductRow>> {
  const offset = offsetOf(request);
  const limit = request.itemsPerPage;
  const part = { offset, limit: limit + 1 };
  const { query, priceSort, dateSort } = request;
  const textual = await estimateRows(sql`select from products p where ${textCondition(query)}`);
  const isSorted = priceSort !== undefined || dateSort !== undefined;
  const toRead = isIndexed(query) ? textual : await countListed({});
  const isRanked = !isSorted && toRead <= MAX_RANKED;
  const { ids, total } =
    (isRanked ? await rankedIds({ ...request, ...part }) : null) ??
    (await commonIds({
      ...request,
      ...part,
      isSorted,
      textual: isRanked ? MAX_RANKED_IF_UNDERESTIMATED : textual,
    }));
  const items = await listProductsByIds(ids, { status: request.status });
  return pageOf({ items, limit, offset, total });
}

/** Common parts of words are not in the index: a text of such parts only reads all products. */
const isIndexed = ({ tsqueries }: TextQuery) => tsqueries.length > 0;

type Part = { offset: number; limit: number };
type FoundIds = { ids: readonly number[] | SQL; total: number };

/**
 * All matches by relevance: products with exactly that name, then by rank, then by sales. Null where there
 * are more than `MAX_RANKED_IF_UNDERESTIMATED`.
 */
const rankedIds = ({
  query,
  search,
  limit,
  offset,
  ...filters
}: SearchRequest & Part): Promise<FoundIds | null> =>
  gatherMatches({
    gather: sql`select p.id, p.sales_count, ${isNamed(search)} as is_named, ${relevance(query)} as relevance
      from products p where ${searchConditions({ ...filters, query })}`,
    order: sql`is_named desc, relevance desc, sales_count desc, id`,
    limit,
    offset,
    max: MAX_RANKED_IF_UNDERESTIMATED,
  });

/** Is the search text exactly the name of `products p`? */
const isNamed = (search: string) => sql`p.name_key = search_normalise(${search})`;

/** A page of very many matches, or of a sorted list. */
async function commonIds({
  textual,
  isSorted,
  ...request
}: SearchRequest & Part & { textual: number; isSorted: boolean }): Promise<FoundIds> {
  const { categoryId, tagId, type, minPriceCents, maxPriceCents, status, query, offset } = request;
  const isFiltered = (type ?? minPriceCents ?? maxPriceCents) !== undefined;
  const rowsInTable = await countListed({});
  const rowsWithLabel =
    (categoryId ?? tagId ?? status) === undefined
      ? rowsInTable
      : await countListed({ categoryId, tagId, status });
  const rowsInList = isFiltered ? await estimateListed(request) : rowsWithLabel;
  // Assumes that words, labels and prices are independent of each other.
  const share = shareOf({ matches: textual, all: rowsInTable });
  const estimate = Math.max(Math.round(share * rowsInList), 1);
  const beyond =
    offset === 0
      ? null
      : await pageBeyondEnd({
          offset,
          total: estimate,
          maxCounted: 0,
          countAll: () => countMatches(request),
        });
  if (beyond) return { ids: [], total: beyond.total };
  const lexemes = (query.tsqueries.join().split("'").length - 1) / 2;
  const indexCost = isIndexed(query)
    ? (COSTS.compared + COSTS.lexeme * lexemes) * textual
    : rowsInTable;
  const gatherCost = indexCost + share * rowsWithLabel;
  // How many of the matches the further filters leave is not known in advance.
  if (isSorted && hasFurtherFilters(request)) {
    const found = await gatherMatches({ ...request, ...inList(request) });
    return found ?? { ids: [], total: 0 };
  }
  return isSorted
    ? firstMatches({
        ...request,
        ...inList(request),
        gatherCost,
        share,
        rowsInIndex: rowsWithLabel,
        rowsInList,
      })
    : relevantIds(request, {
        gatherCost,
        indexCost,
        share: shareOf({ matches: estimate, all: rowsInTable }),
        rowsInIndex: rowsInTable,
        rowsInList: rowsInTable,
      });
}

/** The exact number of matches. */
const countMatches = ({ query, ...request }: SearchRequest): Promise<number> => {
  const filters = filtersOf(request);
  return cached({
    key: ["search-count", JSON.stringify([query, filters])],
    tags: [CACHE_TAGS.catalogue, ...(filters.availability ? [CACHE_TAGS.availability] : [])],
    run: () =>
      countAll(sql`select from products p where ${searchConditions({ ...filters, query })}`),
  });
};

/** The matches in the order of a list. */
const inList = (
  request: SearchRequest,
): Pick<MatchSearch, "gather" | "scan" | "order" | "scanCost"> => ({
  gather: sql`select p.id, p.id as product_id, p.price_cents, p.created_at
    from products p where ${searchConditions(request)}`,
  scan: (span) => sql`
    select p.id, l.* from (${listedFirst({ ...request, count: span })}) l
    join products p on p.id = l.product_id where ${searchConditions(request)}`,
  order: orderBy(request),
  scanCost: COSTS.scanned.listed,
});

/**
 * The order of relevance for very many matches: products with exactly that name, then the best sold matches
 * by relevance, then the other matches by sales.
 */
async function relevantIds(
  request: SearchRequest & Part,
  search: Pick<MatchSearch, "share" | "rowsInIndex" | "rowsInList" | "gatherCost"> & {
    indexCost: number;
  },
) {
  const { query, limit, offset } = request;
  const window = Math.max(RANKED_BEST_SOLD, offset + limit);
  const conditions = searchConditions(request);
  const isTiered = search.indexCost + TIER_SURPLUS * window < window / search.share;
  const best = await firstMatches({
    ...search,
    gather: sql`select p.id, p.sales_count from products p where ${conditions}`,
    scan: async (span) => sql`select p.id, p.sales_count
      from ${await bestSold({ span, isTiered })} p where ${conditions}`,
    order: sql`sales_count desc nulls last, id`,
    scanCost: isTiered ? COSTS.scanned.bestSoldInTiers : COSTS.scanned.bestSold,
    offset: 0,
    limit: window,
  });
  const named = sql.join([isNamed(request.search), ...conditionsOf(request)], sql` and `);
  const ids = sql`
      with named as (
        select p.id, p.sales_count from products p where ${named}
        order by p.sales_count desc, p.id limit ${window}
      ), best as (
        select id, place, place <= ${RANKED_BEST_SOLD} as is_ranked
        from unnest(${sql.param(best.ids)}::int[]) with ordinality as best (id, place)
        where id not in (select id from named)
      )
      select id from (
        select id, 0 as tier, 0::real as relevance, -sales_count as place from named
        union all
        select b.id, case when is_ranked then 1 else 2 end,
          case when is_ranked then (select ${relevance(query)} from products p where p.id = b.id) else 0 end,
          place
        from best b
      ) matches
      order by tier, relevance desc, place, id limit ${limit} offset ${offset}`;
  return { ids, total: best.total };
}

/** The `span` best sold products or a few more; read from the index of the words if `isTiered`. */
async function bestSold({
  span,
  isTiered,
}: {
  span: number | null;
  isTiered: boolean;
}): Promise<SQL> {
  if (span === null) return sql`products`;
  if (!isTiered)
    return sql`(select * from products order by sales_count desc nulls last, id limit ${span})`;
  // Written as in the index products_search_sales_idx. Only existing tiers are looked up.
  return sql`(select * from products p where array[sales_tier(p.sales_count)] && array(select generate_series(
    sales_tier(${await salesOf(span)}::int), (select sales_tier(max(sales_count)) from products))))`;
}

/** The sales count that `count` products reach, or up to twice as many products. */
function salesOf(count: number): Promise<number> {
  const least = 2 ** Math.ceil(Math.log2(count));
  return cached({
    key: ["sales-of", String(least)],
    tags: [],
    run: async () => {
      const rows = await db.execute<{ sales: number }>(sql`
        select sales_count as sales from products
        order by sales_count desc nulls last, id offset ${least} limit 1`);
      return rows[0]?.sales ?? 0;
    },
  });
}

/** The conditions of text and filters. Prices are checked on the rows found by words and labels. */
const searchConditions = ({ query, ...filters }: ProductFilters & { query: TextQuery }) =>
  sql.join([...conditionsOf(filters, { byPrice: false }), textCondition(query)], sql` and `);
