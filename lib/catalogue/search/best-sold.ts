import { type SQL, sql } from "drizzle-orm";
import { estimateRows } from "@/db/count";
import { fromReplica } from "@/db/replica";
import { type InOrder, pageOf, readInOrder } from "@/lib/catalogue/product-rows";
import { offsetOf } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { productConditions, relevance, searchConditions } from "./conditions";
import {
  COMPARISON_COST,
  type CommonSearch,
  isIndexed,
  isNamed,
  LEXEME_COST,
  type SearchRequest,
} from "./request";

/** So many times the products wanted are in their tiers: there are four for each doubling of the sales. */
const TIER_SURPLUS = 4;
/** Of very many matches so many of the best sold are ranked. */
export const RANKED_BEST_SOLD = 48;

/**
 * A page by relevance of very many matches, from as many of the best sold products as should hold enough
 * of them, then from more. They are read one by one, or by the index, whichever is likely to be cheaper.
 * Null where all matches are cheaper still, and where the page is not among the best sold.
 */
export async function bestSoldPage({ estimates, isGuess, ...request }: CommonSearch) {
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
export function bestSoldByRelevance({
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
