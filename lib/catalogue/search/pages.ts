import { type SQL, sql } from "drizzle-orm";
import { estimateRows } from "@/db/count";
import { fromReplica } from "@/db/replica";
import { countListed, listedFirst, MAX_COUNTED_MATCHES, orderBy } from "@/lib/catalogue/listings";
import {
  EMPTY_PAGE,
  type InOrder,
  type ProductRow,
  pageOf,
  readInOrder,
} from "@/lib/catalogue/product-rows";
import type { ProductFilters } from "@/lib/catalogue/schemas";
import { offsetOf, type Page, pageBeyondEnd } from "@/lib/http/api/paging";
import { bestSoldByRelevance, bestSoldPage, RANKED_BEST_SOLD } from "./best-sold";
import {
  countAllSearched,
  countSearched,
  matches,
  productConditions,
  relevance,
  searchConditions,
} from "./conditions";
import {
  type CommonSearch,
  type Estimates,
  INDEX_ENTRY_COST,
  isIndexed,
  isNamed,
  LOOKUP_COST,
  type SearchRequest,
} from "./request";

// Pages of text searches, with few or very many matches (docs/decisions/006, 040, 046 and 050).

/** Up to so many matches of a text are all read, counted and ranked. */
const MAX_READ_MATCHES = 2_000;

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

/** The matches among the first `span` products of the list. */
const sortedWithin = (request: SearchRequest & { span: number }): InOrder => ({
  ids: sql`
    select l.product_id from (${listedFirst({ ...request, count: request.span })}) l
    join products p on p.id = l.product_id
    where ${matches(request)} order by ${orderBy(request)}
    limit ${request.itemsPerPage + 1} offset ${offsetOf(request)}`,
});
