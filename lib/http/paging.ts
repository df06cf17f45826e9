import { z } from "zod";

export const DEFAULT_PAGE_SIZE = 30;
export const MAX_PAGE_SIZE = 100;
/** Pages beyond are empty anyway; keeps page × size within what PostgreSQL's OFFSET can take. */
const LAST_PAGE = 1_000_000_000;

const page = z
  .string()
  .transform((text, context) => {
    if (/^\d+$/.test(text) && Number(text) >= 1) return Math.min(Number(text), LAST_PAGE);
    context.issues.push({
      code: "custom",
      input: text,
      message: "un nombre entier à partir de 1 est attendu.",
    });
    return z.NEVER;
  })
  .default(1)
  .meta({ type: "integer", minimum: 1, default: 1, description: "Numéro de la page" });

function pageSize(standard: number) {
  return z
    .string()
    .transform((text, context) => {
      if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_PAGE_SIZE);
      context.issues.push({
        code: "custom",
        input: text,
        message: "un nombre entier à partir de 0 est attendu.",
      });
      return z.NEVER;
    })
    .default(standard)
    .meta({
      type: "integer",
      minimum: 0,
      default: standard,
      description: `Éléments par page (plus de ${MAX_PAGE_SIZE} compte pour ${MAX_PAGE_SIZE})`,
    });
}

/**
 * The paging parameters, to be spread into a query schema: `z.object({ ...paging, search: … })`.
 * As with API Platform, `itemsPerPage=0` gives no members but the total.
 */
export const paging = { page, itemsPerPage: pageSize(DEFAULT_PAGE_SIZE) };

/** The query of a collection without filters. */
export const pagingQuery = z.object(paging);

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
