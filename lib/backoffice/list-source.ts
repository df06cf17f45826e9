import { type SQL, sql } from "drizzle-orm";
import type { ListSource } from "./list";
import { isWithin, sortFor } from "./list-order";
import type { DateQuery, Direction, SortQuery } from "./list-query";
import { type DocumentSearch, type SearchTarget, searchDocuments, searchFor } from "./search";

/** The fields of `order[…]` in a query, beside the id. */
type SortOf<Query> = {
  [Key in keyof Query]-?: Key extends `order[${infer Field}]` ? Exclude<Field, "id"> : never;
}[keyof Query];

interface ListDeclaration<Query> {
  /** `users u` */
  from: SQL;
  /** `u.id` */
  id: SQL;
  /** What it can be sorted by. */
  sorts: Record<SortOf<Query>, SQL>;
  /** How it is sorted unless a query says otherwise; by default the newest come first. */
  fallback?: { field: SortOf<Query>; direction: Direction };
  /** The sort whose range `date[after]` and `date[before]` are about. */
  date?: SortOf<Query>;
  /** Parameters that a column has to equal. */
  equal?: { [Key in keyof Query]?: SQL };
  /** Further conditions; what is false or undefined is none. */
  where?: (query: Partial<Query>) => readonly (SQL | false | undefined)[];
  /** Where the words of a search may stand. */
  targetsFor?: (pattern: string) => readonly SearchTarget[] | Promise<readonly SearchTarget[]>;
  /** Or else how its documents are searched. */
  document?: DocumentSearch;
  /** Are a query's rows adjacent in the list's order, perhaps far from the beginning? */
  isClustered?: (query: Partial<Query>) => boolean;
}

/**
 * What a list reads for a query. The newest come first by default: within a range sorted by the date,
 * which has an index.
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
    const dates = date ? isWithin(sorts[date], query as DateQuery) : [];
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
