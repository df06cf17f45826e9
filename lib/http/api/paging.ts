import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";

export const DEFAULT_PAGE_SIZE = 30;
const MAX_PAGE_SIZE = 100;
/** Pages beyond are empty anyway; keeps page × size within what PostgreSQL's OFFSET can take. */
const LAST_PAGE = 1_000_000_000;

/** A whole number from `min`, written in digits; more than `max` is taken as `max`. */
function count({ min, max, description }: { min: number; max: number; description: string }) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min) return Math.min(value, max);
      const message = `un nombre entier à partir de ${min} est attendu.`;
      return rejectValue(context, text, message);
    })
    .meta({ type: "integer", minimum: min, description });
}

const page = count({ min: 1, max: LAST_PAGE, description: "Numéro de la page, 1 par défaut" });

const itemsPerPage = count({
  min: 0,
  max: MAX_PAGE_SIZE,
  description: `Éléments par page, ${DEFAULT_PAGE_SIZE} par défaut, ${MAX_PAGE_SIZE} au plus`,
});

/**
 * The paging parameters, to be spread into a query schema: `z.object({ ...paging, search: … })`.
 * As with API Platform, `itemsPerPage=0` gives no members but the total.
 */
export const paging = {
  page: page.default(1),
  itemsPerPage: itemsPerPage.default(DEFAULT_PAGE_SIZE),
};

/** The query of a collection without filters. */
export const pagingQuery = z.object(paging);

/** The query of the calls that answer a plain array: whole, unless a part is asked for. */
export const plainArrayQuery = z.object({
  page: page.optional(),
  itemsPerPage: itemsPerPage.optional(),
});

/** Rows that a plain array holds when no page is asked for: the newest. */
const PLAIN_ARRAY_SIZE = 1000;

/** The part of a plain array that was asked for. */
export function plainArrayPart({
  page,
  itemsPerPage,
}: z.output<typeof plainArrayQuery>): PageRequest {
  if (page === undefined && itemsPerPage === undefined)
    return { page: 1, itemsPerPage: PLAIN_ARRAY_SIZE };
  return { page: page ?? 1, itemsPerPage: itemsPerPage ?? DEFAULT_PAGE_SIZE };
}

export interface PageRequest {
  page: number;
  itemsPerPage: number;
}

/** What a list read gives to `collectionOf`. */
export interface Page<Row> {
  items: readonly Row[];
  /** All that match; may be an estimate where counting a large table would cost too much. */
  total: number;
  /** Is there a page after this one? Give it where `total` is an estimate. */
  hasNext?: boolean;
}

/** Rows to skip for a page. */
export function offsetOf({ page, itemsPerPage }: PageRequest): number {
  return (page - 1) * itemsPerPage;
}

/**
 * The empty page that is asked for beyond the end of a list, without a look at the rows before it; null
 * where the page may have rows. An estimated total is not believed before all is counted, which costs
 * less than the last page.
 */
export async function pageBeyondEnd({
  offset,
  total,
  maxCounted,
  countAll,
}: {
  offset: number;
  /** Exact up to `maxCounted`. */
  total: number;
  maxCounted: number;
  countAll: () => Promise<number>;
}): Promise<(Page<never> & { hasNext: false }) | null> {
  if (offset < total) return null;
  const exact = total <= maxCounted ? total : await countAll();
  return offset < exact ? null : { items: [], total: exact, hasNext: false };
}

/** A page of a list that is counted for each page; beyond its end nothing is read. */
export async function countedPage<Row>({
  request,
  count,
  read,
}: {
  request: PageRequest;
  count: () => PromiseLike<number>;
  read: (part: { limit: number; offset: number }) => PromiseLike<readonly Row[]>;
}): Promise<Page<Row>> {
  const part = { limit: request.itemsPerPage, offset: offsetOf(request) };
  // A query of drizzle would run each time it is awaited.
  const counting = Promise.resolve(count());
  if (part.offset > 0 && part.offset >= (await counting))
    return { items: [], total: await counting };
  const [items, total] = await Promise.all([read(part), counting]);
  return { items, total };
}

/**
 * A page from its rows and one more.
 *
 * @param total of all; may be an estimate, which must not contradict the rows that were read
 */
export function pageOf<Row>({
  items,
  limit,
  offset,
  total,
}: {
  items: readonly Row[];
  limit: number;
  offset: number;
  total: number;
}): Page<Row> {
  const hasNext = items.length > limit;
  const seen = offset + items.length;
  const isEnd = items.length > 0 || offset === 0;
  return {
    items: items.slice(0, limit),
    total: hasNext ? Math.max(total, seen) : isEnd ? seen : total,
    hasNext,
  };
}
