import { z } from "zod";
import { paging, plainArrayQuery } from "@/lib/http/paging";
import { queryChoice, queryText } from "@/lib/http/query";

// What the lists of the back office can be asked for, under API Platform's names.

export type Direction = "asc" | "desc";

/** Of a longer search text the rest is passed over. */
const MAX_SEARCH_LENGTH = 200;

const search = queryText({ max: MAX_SEARCH_LENGTH, description: "Texte recherché" }).optional();

type SortKey<F extends string> = `order[${F}]`;

export type SortQuery<F extends string> = { [K in SortKey<F>]?: Direction | undefined };

/** `order[name]=asc|desc` for each of the fields. */
export function sortable<const F extends string>(...fields: readonly F[]) {
  const entries = fields.map((field) => [
    `order[${field}]`,
    queryChoice({ asc: "asc", desc: "desc" }, { description: `Tri par ${field}` })
      .meta({ property: field })
      .optional(),
  ]);
  return Object.fromEntries(entries) as Record<
    SortKey<F>,
    z.ZodOptional<z.ZodType<Direction, string>>
  >;
}

/** The sort that a query asks for; of several the first of the list's own fields. */
export function sortOf<F extends string>(
  query: SortQuery<F>,
  fallback: { field: F; direction: Direction },
): { field: F; direction: Direction } {
  for (const [key, direction] of Object.entries(query) as [string, Direction | undefined][]) {
    const [, field] = /^order\[(.+)\]$/.exec(key) ?? [];
    if (field && direction) return { field: field as F, direction };
  }
  return fallback;
}

/** Paging and search, to be spread into the query schema of a Hydra list. */
export const listFields = { ...paging, search };

/** The same for a list that is a plain array. */
export const plainListFields = { ...plainArrayQuery.shape, search };

/** One end of a range of dates: a whole day in France, or an instant. */
export type DateBound = { day: string } | { instant: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

function dateBound(description: string) {
  return z
    .string()
    .transform((text, context): DateBound => {
      // In an address a plus sign is a space.
      const value = text.trim().replace(/ (\d{2}:?\d{2})$/, "+$1");
      const date = new Date(DAY.test(value) ? `${value}T00:00:00Z` : value);
      const isDate = (DAY.test(value) || INSTANT.test(value)) && !Number.isNaN(date.getTime());
      // JavaScript takes 31 April for 1 May.
      if (isDate && DAY.test(value) && date.toISOString().startsWith(value)) return { day: value };
      if (isDate && INSTANT.test(value)) return { instant: date.toISOString() };
      context.issues.push({
        code: "custom",
        input: text,
        message: "une date comme 2026-11-20 est attendue.",
      });
      return z.NEVER;
    })
    .meta({ type: "string", format: "date", description })
    .optional();
}

/** API Platform's date filter: both ends belong to the range, a day as a whole, in France. */
export const dateRange = {
  "date[after]": dateBound("À partir de ce jour, compris"),
  "date[before]": dateBound("Jusqu'à ce jour, compris"),
};

export type DateRange = { after?: DateBound | undefined; before?: DateBound | undefined };

export type DateQuery = { [K in keyof typeof dateRange]?: DateBound | undefined };

export const dateRangeOf = (query: DateQuery): DateRange => ({
  after: query["date[after]"],
  before: query["date[before]"],
});

/** `true` or `false`, `1` or `0`. */
export const yesOrNo = (description: string) =>
  queryChoice({ true: true, false: false, 1: true, 0: false }, { description }).optional();
