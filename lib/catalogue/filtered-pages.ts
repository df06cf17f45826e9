import { type SQL, sql } from "drizzle-orm";
import { countAtMost, estimateRows } from "@/db/count";
import { firstMatches, gatherMatches, shareOf } from "@/db/first-matches";
import { offsetOf, type PageRequest, pageOf } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { conditionsOf } from "./conditions";
import { filtersOf } from "./filters";
import { countListed, listedFirst, orderBy } from "./listings";
import { listProductsByIds } from "./product-rows";
import type { ProductFilters, ProductOrder } from "./schemas";

// Lists with filters beyond those that `product_listings` holds: several tags, rating, availability and
// characteristics. Found like the matches of a search, by one of two strategies (docs/decisions/050).

/** Up to this many products are all gathered and sorted; of more, the total may be an estimate. */
const MAX_GATHERED = 10_000;
/** The cost of a product of the list, read in its order, in gathered matches. */
const SCAN_COST = 3;

/** One page of the products that match all filters. */
export async function filteredPage(request: ProductFilters & ProductOrder & PageRequest) {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const list = sql`select from products p where ${matches(request)}`;
  const estimate = await estimateRows(list);
  const part = { offset, limit: limit + 1, ...strategies(request) };
  const gathered =
    estimate <= MAX_GATHERED ? await gatherMatches({ ...part, max: 2 * MAX_GATHERED }) : null;
  if (gathered) return pageOf({ ...(await pageItems(gathered)), limit, offset });
  const rowsInList = await countListed(withoutFurtherFilters(request));
  const found = await firstMatches({
    ...part,
    share: shareOf({ matches: estimate, all: rowsInList }),
    rowsInIndex: rowsInList,
    rowsInList,
    scanCost: SCAN_COST,
  });
  const total = await countFiltered(request);
  return pageOf({ ...(await pageItems({ ...found, total })), limit, offset });
}

const pageItems = async ({ ids, total }: { ids: number[]; total: number }) => ({
  items: await listProductsByIds(ids),
  total,
});

const matches = (filters: ProductFilters): SQL => sql.join(conditionsOf(filters), sql` and `);

const strategies = (request: ProductFilters & ProductOrder) => ({
  gather: sql`select p.id, p.id as product_id, p.price_cents, p.created_at
    from products p where ${matches(request)}`,
  scan: (span: number | null) => sql`
    select p.id, l.* from (${listedFirst({ ...withoutFurtherFilters(request), count: span })}) l
    join products p on p.id = l.product_id where ${matches(request)}`,
  order: orderBy(request),
});

/** The filters and the sort of the list that is read in its order. */
function withoutFurtherFilters<Request extends ProductFilters>(request: Request): Request {
  return {
    ...request,
    tagIds: undefined,
    minRating: undefined,
    availability: undefined,
    characteristics: undefined,
  };
}

/** Exact up to `MAX_GATHERED`, above it perhaps an estimate. */
function countFiltered(request: ProductFilters): Promise<number> {
  const filters = filtersOf(request);
  return cached({
    key: ["products-count-filtered", JSON.stringify(filters)],
    tags: [CACHE_TAGS.catalogue, ...(filters.availability ? [CACHE_TAGS.availability] : [])],
    run: () =>
      countAtMost({
        query: sql`select from products p where ${matches(filters)}`,
        max: MAX_GATHERED,
      }),
  });
}
