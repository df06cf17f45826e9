import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";
import { paging, plainArrayQuery } from "@/lib/http/api/paging";
import { queryChoice, querySearch } from "@/lib/http/api/query";

// The query parameters of the back office's lists, under API Platform's names.

export type Direction = "asc" | "desc";

const search = querySearch({ description: "Texte recherché" }).optional();

type SortKey<F extends string> = `order[${F}]`;

export type SortQuery<F extends string> = { [K in SortKey<F>]?: Direction | undefined };

/** A query parameter `order[field]=asc|desc` for each field. */
export function sortable<const F extends string>(...fields: readonly F[]) {
  const entries = fields.map((field) => [
    `order[${field}]`,
    queryChoice(["asc", "desc"], { description: `Tri par ${field}` })
      .meta({ property: field })
      .optional(),
  ]);
  return Object.fromEntries(entries) as Record<
    SortKey<F>,
    z.ZodOptional<z.ZodType<Direction, string>>
  >;
}

/** The sort that a query asks for; the first if there are several. */
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

/** Paging and search, to spread into the query schema of a Hydra list. */
export const listFields = { ...paging, search };

/** The same for a list that is a plain array. */
export const plainListFields = { ...plainArrayQuery.shape, search };

/** One end of a date range: a whole day, an instant with its offset, or a local time in France. */
export type DateBound = { day: string } | { instant: string } | { local: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

function dateBound(description: string) {
  return z
    .string()
    .transform((text, context): DateBound => {
      // A plus sign in a URL is decoded as a space.
      const value = text.trim().replace(/ (\d{2}:?\d{2})$/, "+$1");
      if (DAY.test(value) && isDay(value)) return { day: value };
      const [isMoment, offset] = INSTANT.exec(value) ?? [];
      if (isMoment && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)))
        return offset ? { instant: new Date(value).toISOString() } : { local: value };
      return rejectValue(context, text, "une date comme 2026-11-20 est attendue.");
    })
    .meta({ type: "string", format: "date", description })
    .optional();
}

/** Whether a day exists: JavaScript parses 31 April as 1 May. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** API Platform's date filter: both ends are inclusive, and days are whole days in France. */
export const dateRange = {
  "date[after]": dateBound("À partir de ce jour, compris"),
  "date[before]": dateBound("Jusqu'à ce jour, compris"),
};

export type DateQuery = { [K in keyof typeof dateRange]?: DateBound | undefined };

/** `true` or `false`, `1` or `0`. */
export const yesOrNo = (description: string) =>
  queryChoice({ true: true, false: false, 1: true, 0: false }, { description }).optional();
