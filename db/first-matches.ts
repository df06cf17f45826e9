import { type SQL, sql } from "drizzle-orm";
import { type Database, db } from "@/db";

// The matches of a search in a long list, in the list's order. No index has both the words and the
// order, so there are two strategies: to gather all matches from the index of the words and sort them,
// or to scan the list in its order until a page is full. Where m of N rows match, a page of k matches
// costs m rows by gathering and k·N/m rows by scanning. With √(k·N) matches both cost √(k·N) rows.
//
// An example: 40,000 of 1,000,000 products match, 31 are wanted, and a scanned product costs as much as 3
// gathered matches. Gathering costs 40,000. A scan should find 31 among 31 / 0.04 = 775 products, which
// costs 2,325, so scanning goes first. It covers twice as many products, 1,550, since matches are never
// evenly distributed. If they do not fill the page, it covers 6,429. The reason: with
// √(3 · 31 · 1,000,000) = 9,644 matches both strategies cost 9,644, and neither may cost more than twice
// that, 19,288 = 3 · 6,429, before the other one is tried. Then all matches are gathered.

/** How the matches of a list are found. */
export interface MatchSearch {
  /** How many matches to skip, and how many to return. */
  offset: number;
  limit: number;
  /** The estimated share of the rows that match. */
  share: number;
  /** The number of rows in the index of the words, and in the scanned list. */
  rowsInIndex: number;
  rowsInList: number;
  /** The cost of gathering all matches; by default one per match. */
  gatherCost?: number;
  /** The cost of a scanned row, in gathered matches. */
  scanCost: number;
  /** All matches: `select … from … where …`, with `id` and the columns of `order`. */
  gather: SQL;
  /** The matches among the first `span` rows, or all rows for null, in order, with the same columns. */
  scan: (span: number | null) => SQL | Promise<SQL>;
  order: SQL;
  from?: Pick<Database, "execute">;
}

/** `matches` divided by `all`, at most 1; never 0, since both are estimates. */
export const shareOf = ({ matches, all }: { matches: number; all: number }): number =>
  Math.min(Math.max(matches, 1) / Math.max(all, 1), 1);

/** Matches in order, and their total: exact where all were gathered, otherwise an estimate. */
type Found = { ids: number[]; total: number };

/**
 * Tries the strategy that is likely to be cheaper first. Estimates can be wrong, since words are correlated:
 * the cost of the first strategy is bounded near the break-even cost; then the other one is tried.
 */
export async function firstMatches(search: MatchSearch): Promise<Found> {
  const { offset, limit, share, rowsInIndex, rowsInList, scanCost } = search;
  const wanted = offset + limit;
  const { gatherCost = share * rowsInIndex } = search;
  // The maximum cost of one strategy before the other is tried: twice the break-even cost.
  const bound = Math.ceil(Math.max(2 * Math.sqrt(scanCost * wanted * rowsInIndex), gatherCost / 4));
  // Rows that a scan reads if the matches are evenly distributed.
  const likely = wanted / share;
  const isRare = gatherCost <= scanCost * Math.min(likely, rowsInList);
  const found = isRare ? await gatherMatches({ ...search, max: bound }) : null;
  if (found) return found;
  // Gathering gave up, so there are more matches than `bound`.
  const total = Math.max(Math.round(share * rowsInList), isRare ? bound + 1 : 1);
  const most = bound / scanCost;
  for (const span of 4 * likely < most ? [2 * likely, most] : [most]) {
    const ids = await scanMatches({ ...search, span });
    if (ids) return { ids, total };
  }
  return (await gatherMatches(search)) ?? { ids: [], total: 0 };
}

/** Null if there are more than `max` matches. */
export async function gatherMatches({
  gather,
  order,
  limit,
  offset,
  max,
  from = db,
}: Pick<MatchSearch, "gather" | "order" | "limit" | "offset" | "from"> & {
  max?: number;
}): Promise<Found | null> {
  const most = max === undefined ? sql`` : sql`limit ${max + 1}`;
  const [found] = await from.execute<{ ids: number[]; total: number }>(sql`
    with found as materialized (${gather} ${most})
    select array(select id from found order by ${order} limit ${limit} offset ${offset}) as ids,
      (select count(*)::int from found) as total`);
  return !found || (max !== undefined && found.total > max) ? null : found;
}

/** Null if the matches do not fill the page, unless all rows were scanned. */
async function scanMatches({
  scan,
  order,
  limit,
  offset,
  rowsInList,
  span,
  from = db,
}: MatchSearch & { span: number }): Promise<number[] | null> {
  const isWhole = span >= rowsInList;
  const rows = await scan(isWhole ? null : Math.ceil(span));
  const found = await from.execute<{ id: number }>(
    sql`select id from (${rows}) found order by ${order} limit ${limit} offset ${offset}`,
  );
  const ids = found.map(({ id }) => id);
  const isEnd = isWhole && (ids.length > 0 || offset === 0);
  return ids.length === limit || isEnd ? ids : null;
}
