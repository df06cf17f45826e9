import { type SQL, sql } from "drizzle-orm";
import type { ListSource } from "./list";
import { dateRangeConditions, sortFor } from "./list-order";
import type { DateQuery, Direction, SortQuery } from "./list-query";
import { type DocumentSearch, type SearchTarget, searchDocuments, searchFor } from "./search";

/** The fields of `order[…]` in a query, except the id. */
type SortOf<Query> = {
  [Key in keyof Query]-?: Key extends `order[${infer Field}]` ? Exclude<Field, "id"> : never;
}[keyof Query];

export interface ListDeclaration<Query> {
  /** `users u` */
  from: SQL;
  /** `u.id` */
  id: SQL;
  /** The fields that the list can be sorted by. */
  sorts: Record<SortOf<Query>, SQL>;
  /** The sort without `order[…]`; by default newest first. */
  fallback?: { field: SortOf<Query>; direction: Direction };
  /** The sort field that `date[after]` and `date[before]` filter. */
  date?: SortOf<Query>;
  /** Query parameters, each with the column that must equal it. */
  equal?: { [Key in keyof Query]?: SQL };
  /** Further conditions; false and undefined are ignored. */
  where?: (query: Partial<Query>) => readonly (SQL | false | undefined)[];
  /** The texts that the words of a search are looked up in. */
  targetsFor?: (pattern: string) => readonly SearchTarget[] | Promise<readonly SearchTarget[]>;
  /** Instead of `targetsFor`: how the list's documents are searched. */
  document?: DocumentSearch;
  /** Whether a query's rows are adjacent in the list's order, perhaps far from its beginning. */
  isClustered?: (query: Partial<Query>) => boolean;
}

/**
 * The parts of a list's SQL for a query. By default newest first; a date range is sorted by the date, which
 * has an index.
 */
export function listSource<Query extends { search?: string | undefined }>({
  from,
  id,
  sorts,
  fallback,
  date,
  equal = {},
  where = () => [],
  targetsFor,
  document,
  isClustered = () => false,
}: ListDeclaration<Query>) {
  return async (query: Partial<Query>): Promise<ListSource> => {
    const dates = date ? dateRangeConditions(sorts[date], query as DateQuery) : [];
    const isRange = date !== undefined && dates.length > 0;
    const sort = sortFor(query as SortQuery<string>, {
      sorts,
      fallback: isRange ? { field: date, direction: "desc" } : fallback,
    });
    const equalities = Object.entries<SQL | undefined>(equal).map(([name, column]) => {
      const value = query[name as keyof Query];
      return value !== undefined && sql`${column} = ${value}`;
    });
    const { search } = query;
    return {
      from,
      id,
      where: [...dates, ...equalities, ...where(query)].flatMap((condition) => condition || []),
      search: document
        ? await searchDocuments({ search, from, id, ...document })
        : targetsFor && (await searchFor({ search, from, id, targetsFor })),
      ...sort,
      isClustered: isClustered(query) || (isRange && sort.by !== sorts[date]),
    };
  };
}
