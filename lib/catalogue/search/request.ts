import { sql } from "drizzle-orm";
import type { ProductFilters, ProductOrder } from "@/lib/catalogue/schemas";
import type { PageRequest } from "@/lib/http/api/paging";
import type { TextQuery } from "./words";

/** The cost of looking up a list row's product, in matches of a text that are read. */
export const LOOKUP_COST = 3;
/** The cost of an index entry without its row, in matches that are read. */
export const INDEX_ENTRY_COST = 0.1;
/** The cost for the index to compare a match with labels and tiers, in products that are read … */
export const COMPARISON_COST = 0.03;
/** … and of each lexeme that it may have matched by. */
export const LEXEME_COST = 0.004;

export type SearchRequest = ProductFilters &
  ProductOrder &
  PageRequest & { search: string; query: TextQuery };

/** Common parts of words are not in the index: without other words all products are read. */
export const isIndexed = ({ tsqueries }: TextQuery) => tsqueries.length > 0;

/** Estimates of how many products match … */
export interface Estimates {
  /** … the text, */
  textual: number;
  /** … the text and the labels, */
  labelled: number;
  /** … all filters that have an index, */
  read: number;
  /** … all filters; */
  matching: number;
  /** and of how many there are. */
  all: number;
}

export type CommonSearch = SearchRequest & {
  isSorted: boolean;
  isCommon: boolean;
  /** May the estimates of words and labels be far off? */
  isGuess: boolean;
  estimates: Estimates;
};

/** Is that exactly the name of `products p`? */
export const isNamed = ({ search }: { search: string }) =>
  sql`p.name_key = search_normalise(${search})`;
