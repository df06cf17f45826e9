import { type SQL, sql } from "drizzle-orm";
import { type Database, db } from "@/db";

// The matches of a search in a long list, in the list's order. No index has both the words and the
// order, so there are two strategies: to gather all matches from the index of the words and sort them,
// or to scan the list in its order until a page is full. Where m of N rows match, a page of k of them
// costs m rows by the one and k·N/m rows by the other. With √(k·N) matches both cost √(k·N) rows.
//
// An example: 40,000 of 1,000,000 products match, 31 are wanted, and a scanned product costs as much as 3
// gathered matches. Gathering costs 40,000. A scan finds 31 among 31 / 0.04 = 775 products, which costs
// 2,325, and goes first: through twice as many products, 1,550, since matches are never evenly distributed.
// If that does not fill the page, it goes through 6,429. Where √(3 · 31 · 1,000,000) = 9,644 match, both
// cost that much, and neither strategy may cost more than twice that, 19,288 = 3 · 6,429, before the other
// one is tried. Then all matches are gathered.

/** How the matches of a list are found. */
export interface MatchSearch {
  /** How many of them to skip, and how many to give. */
  offset: number;
  limit: number;
  /** The estimated share of the rows that match. */
  share: number;
  /** The rows that the index of the words knows, and those of the list that is scanned. */
  rowsInIndex: number;
  rowsInList: number;
  /** The cost of gathering all matches; without it, one for each of them. */
  gatherCost?: number;
  /** The cost of a scanned row, in gathered matches. */
  scanCost: number;
  /** All matches: `select … from … where …`, with `id` and the columns of `order`. */
  gather: SQL;
  /** The matches of the first `span` rows, or of all, in order, with the same columns. */
  scan: (span: number | null) => SQL | Promise<SQL>;
  order: SQL;
  from?: Pick<Database, "execute">;
}

/** The share of `all` rows that `matches` are; never none, since these are estimates. */
export const shareOf = ({ matches, all }: { matches: number; all: number }): number =>
  Math.min(Math.max(matches, 1) / Math.max(all, 1), 1);

/** Matches in order, and how many there are: exact where all were gathered, otherwise an estimate. */
type Found = { ids: number[]; total: number };

/**
 * The strategy that is likely to be cheaper goes first. Estimates can be wrong, since words are correlated:
 * neither may cost much more than where both cost the same, before the other one is tried.
 */
export async function firstMatches(search: MatchSearch): Promise<Found> {
  const { offset, limit, share, rowsInIndex, rowsInList, scanCost } = search;
  const wanted = offset + limit;
  const { gatherCost = share * rowsInIndex } = search;
  // What either may cost before the other is tried: twice as much as where both cost the same.
  const bound = Math.ceil(Math.max(2 * Math.sqrt(scanCost * wanted * rowsInIndex), gatherCost / 4));
  // Rows that a scan looks at, if the matches are evenly distributed.
  const likely = wanted / share;
  const isRare = gatherCost <= scanCost * Math.min(likely, rowsInList);
  const found = isRare ? await gatherMatches({ ...search, max: bound }) : null;
  if (found) return found;
  // Where they could not be gathered, there are more than that.
  const total = Math.max(Math.round(share * rowsInList), isRare ? bound + 1 : 1);
  const most = bound / scanCost;
  for (const span of 4 * likely < most ? [2 * likely, most] : [most]) {
    const ids = await scanMatches({ ...search, span });
    if (ids) return { ids, total };
  }
  return (await gatherMatches(search)) ?? { ids: [], total: 0 };
}

/** Null where they are more than `max`. */
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

/** Null where they do not fill the page, unless these are all. */
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
