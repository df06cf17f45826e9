import { type SQL, sql } from "drizzle-orm";
import {
  type DateBound,
  type DateQuery,
  type DateRange,
  type Direction,
  dateRangeOf,
  type SortQuery,
  sortOf,
} from "@/lib/backoffice/list-query";
import type { ListSource } from "./list";

/** How a query wants a list to be sorted; the newest come first unless said otherwise. */
export function sortFor<F extends string>(
  query: SortQuery<F | "id">,
  {
    sorts,
    fallback = { field: "id", direction: "desc" },
  }: {
    sorts: Record<F, SQL>;
    fallback?: { field: NoInfer<F> | "id"; direction: Direction };
  },
): Pick<ListSource, "by" | "direction"> {
  const { field, direction } = sortOf(query, fallback);
  return { by: field === "id" ? undefined : sorts[field], direction };
}

/**
 * The range of dates and the order of a list that a query asks for. The newest come first by default:
 * within a range sorted by the date, which has an index.
 */
export function datedBy<F extends string>(
  query: DateQuery & SortQuery<F | "id">,
  { date, sorts }: { date: F; sorts: Record<F, SQL> },
) {
  const dates = isWithin(sorts[date], dateRangeOf(query));
  const isRange = dates.length > 0;
  const { field, direction } = sortOf(query, {
    field: isRange ? date : "id",
    direction: "desc",
  });
  const by: SQL | undefined = field === "id" ? undefined : sorts[field];
  return { dates, sort: { by, direction, isClustered: isRange && field !== date } };
}

/** The rows whose date is in a range. */
export function isWithin(column: SQL, { after, before }: DateRange): SQL[] {
  const conditions: SQL[] = [];
  if (after) conditions.push(sql`${column} >= ${momentOf(after)}`);
  if (before)
    conditions.push(
      "day" in before
        ? sql`${column} < ((${before.day}::date + 1)::timestamp at time zone 'Europe/Paris')`
        : sql`${column} <= ${momentOf(before)}`,
    );
  return conditions;
}

/** A bound as a `timestamptz`; of a day its beginning. */
export function momentOf(bound: DateBound): SQL {
  if ("instant" in bound) return sql`${bound.instant}::timestamptz`;
  const local = "day" in bound ? bound.day : bound.local;
  return sql`(${local}::timestamp at time zone 'Europe/Paris')`;
}
