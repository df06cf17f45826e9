import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { countAll, countAtMost, estimateRows } from "@/db/count";
import { firstMatches, shareOf } from "@/db/first-matches";
import type { Direction } from "@/lib/backoffice/list-query";
import { fail } from "@/lib/errors/failure";
import { type CsvColumn, type CsvTable, csvLines } from "@/lib/http/api/csv";
import {
  offsetOf,
  type Page,
  type PageRequest,
  pageBeyondEnd,
  pageOf,
} from "@/lib/http/api/paging";
import type { Search } from "./search";

// Reads the back office's lists: first the ids of a page, in order, from one index if possible; then the
// rows of these ids with their related data.

/** The parts of a list's query. */
export interface ListSource {
  /** `users u` */
  from: SQL;
  /** `u.id` */
  id: SQL;
  /** Conditions, joined by AND. */
  where: readonly SQL[];
  search?: Search | null;
  /** The sort expression before the id. */
  by?: SQL | undefined;
  direction: Direction;
  /** Whether the rows are adjacent in the list's order, perhaps far from its beginning. */
  isClustered?: boolean;
}

/** Reads rows by their ids, in any order. */
type ReadRows<Row> = (ids: readonly number[]) => Promise<readonly Row[]>;

/** Above this number of rows the total is an estimate: counting would cost more than the page. */
const MAX_COUNTED = 20_000;

export async function readPage<Row extends { id: number }>({
  source,
  request,
  rows,
}: {
  source: ListSource;
  request: PageRequest;
  rows: ReadRows<Row>;
}): Promise<Page<Row>> {
  const limit = request.itemsPerPage;
  const offset = offsetOf(request);
  const { search } = source;
  const listed = await estimateRows(matching({ ...source, search: null }));
  const estimate = search ? Math.max(Math.round(shareOf(search) * listed), 1) : listed;
  const query = matching({ ...source, search: search && { condition: search.lookup } });
  // A search needs no count: its total is exact if its matches are gathered.
  const counting = search ? estimate : countAtMost({ query, max: MAX_COUNTED, estimate });
  if (offset > 0) {
    const beyond = await pageBeyondEnd({
      offset,
      total: await counting,
      maxCounted: search ? 0 : MAX_COUNTED,
      countAll: () => countAll(query),
    });
    if (beyond) return beyond;
  }
  const part = { limit: limit + 1, offset };
  const [found, total] = await Promise.all([
    search ? searchIds({ source, search, listed, part }) : listIds({ source, listed, part }),
    counting,
  ]);
  const page = pageOf({ items: found.ids, limit, offset, total: found.total ?? total });
  return { ...page, items: await readInIdOrder({ ids: page.items, rows }) };
}

interface Wanted {
  source: ListSource;
  /** The number of rows without the search. */
  listed: number;
  part: { limit: number; offset: number };
}
type FoundIds = { ids: number[]; total?: number };

/** The ids of a page without a search. */
async function listIds({ source, listed, part: { limit, offset } }: Wanted): Promise<FoundIds> {
  // The planner assumes that a range's rows are evenly distributed, and would scan the list up to the range.
  const isSorted = source.isClustered && listed <= MAX_COUNTED;
  const query = isSorted
    ? sql`select id from (${keysOf(source)} offset 0) found order by ${keyOrder(source)}`
    : sql`select ${source.id} as id from ${source.from} where ${conditions(source)}
        order by ${order(source)}`;
  const rows = await db.execute<{ id: number }>(sql`${query} limit ${limit} offset ${offset}`);
  return { ids: rows.map(({ id }) => id) };
}

/** The ids of a page of a search. */
const searchIds = ({
  source,
  search,
  listed,
  part,
}: Wanted & { search: Search }): Promise<FoundIds> =>
  firstMatches({
    ...part,
    share: shareOf(search),
    rowsInIndex: search.all,
    rowsInList: listed,
    // A scanned row costs as much as a gathered match: both read the row's texts.
    scanCost: 1,
    gather: keysOf({ ...source, search: { condition: search.lookup } }),
    scan: (span) => sql`
      select id, key from (
        select ${source.id} as id, ${source.by ?? sql`null`} as key,
          ${search.condition} as is_match
        from ${source.from} where ${conditions({ ...source, search: null })}
        order by ${order(source)} ${span === null ? sql`` : sql`limit ${span}`}
      ) walk where is_match`,
    order: keyOrder(source),
  });

/** Rows per query of an export. */
const BATCH_SIZE = 1_000;

/**
 * All rows of a list, in batches. All ids are read first, seven bytes each, so that no transaction stays
 * open for a slow client.
 */
async function* readAll<Row extends { id: number }>({
  source,
  rows,
}: {
  source: ListSource;
  rows: ReadRows<Row>;
}): AsyncGenerator<readonly Row[]> {
  const found = await db.execute<{ ids: string | null }>(
    sql`select string_agg(${source.id}::text, ',' order by ${order(source)}) as ids
      from ${source.from} where ${conditions(source)}`,
  );
  const ids = Int32Array.from((found[0]?.ids ?? "").split(",").filter(Boolean), Number);
  for (let start = 0; start < ids.length; start += BATCH_SIZE)
    yield await readInIdOrder({ ids: [...ids.subarray(start, start + BATCH_SIZE)], rows });
}

/** The database, or a transaction. */
export type Reader = Pick<Transaction, "select" | "execute">;

/** The rows to read, and optionally the transaction to read them in. */
export interface ByIds {
  ids: readonly number[];
  tx?: Reader;
}

/** The columns of a CSV file: the value for an item by the column's heading. */
export type CsvColumns<Item> = Readonly<Record<string, CsvColumn<Item>["value"]>>;

/** The reads of one kind of objects: a page of a query, all rows of a query as CSV, one object by its id. */
export function listOf<Query, Row extends { id: number }, Item>({
  sourceOf,
  read,
  fileName,
  columns,
  toJson,
}: {
  sourceOf: (query: Query) => Promise<ListSource>;
  read: (options: ByIds) => Promise<readonly Row[]>;
  /** The CSV's file name without date and extension: `commandes`. */
  fileName: string;
  columns: CsvColumns<NoInfer<Item>>;
  toJson: (row: Row) => Item;
}) {
  const rows = (ids: readonly number[]) => read({ ids });
  async function* batches(query: Query) {
    for await (const found of readAll({ source: await sourceOf(query), rows }))
      yield found.map(toJson);
  }
  return {
    page: async (query: Query & PageRequest): Promise<Page<Row>> =>
      readPage({ source: await sourceOf(query), request: query, rows }),
    /** The rows are read while the CSV is sent. */
    table: (query: Query): CsvTable => ({
      name: fileName,
      lines: csvLines({
        columns: Object.entries(columns).map(([head, value]) => ({ head, value })),
        batches: batches(query),
      }),
    }),
    /** @throws 404 */
    one: async ({ id, tx = db }: { id: number; tx?: Reader }): Promise<Row> => {
      const [row] = await read({ ids: [id], tx });
      if (!row) throw fail.notFound();
      return row;
    },
  };
}

type Conditions = Pick<ListSource, "where"> & { search?: Pick<Search, "condition"> | null };

const conditions = ({ where, search }: Conditions) =>
  sql.join([sql`true`, ...where, ...(search ? [search.condition] : [])], sql` and `);

const matching = (source: Pick<ListSource, "from"> & Conditions) =>
  sql`select from ${source.from} where ${conditions(source)}`;

/** Selects ids with their sort key. */
const keysOf = (source: Pick<ListSource, "from" | "id" | "by"> & Conditions) =>
  sql`select ${source.id} as id, ${source.by ?? sql`null`} as key
    from ${source.from} where ${conditions(source)}`;

const keyOrder = ({ by, direction }: ListSource) =>
  order({ by: by && sql`key`, id: sql`id`, direction });

function order({ by, id, direction }: Pick<ListSource, "by" | "id" | "direction">): SQL {
  const suffix = sql.raw(direction);
  return by ? sql`${by} ${suffix}, ${id} ${suffix}` : sql`${id} ${suffix}`;
}

/** The rows in the order of `ids`; rows deleted meanwhile are missing. */
async function readInIdOrder<Row extends { id: number }>({
  ids,
  rows,
}: {
  ids: readonly number[];
  rows: ReadRows<Row>;
}): Promise<Row[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await rows(ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
