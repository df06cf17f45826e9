import { type SQL, sql } from "drizzle-orm";
import {
  type DateBound,
  type DateQuery,
  type Direction,
  type SortQuery,
  sortOf,
} from "@/lib/backoffice/list-query";
import type { ListSource } from "./list";

/** The sort that a query asks for; by default newest first. */
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

/** Conditions that a date is in the query's range. */
export function dateRangeConditions(
  column: SQL,
  { "date[after]": after, "date[before]": before }: DateQuery,
): SQL[] {
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

/** A bound as a `timestamptz`; a day gives its beginning in France. */
export function momentOf(bound: DateBound): SQL {
  if ("instant" in bound) return sql`${bound.instant}::timestamptz`;
  const local = "day" in bound ? bound.day : bound.local;
  return sql`(${local}::timestamp at time zone 'Europe/Paris')`;
}
