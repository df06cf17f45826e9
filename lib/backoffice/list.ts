import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { countAll, countAtMost, estimateRows } from "@/db/count";
import type { Direction } from "@/lib/backoffice/list-query";
import { fail } from "@/lib/errors";
import { type CsvColumn, type CsvTable, csvLines } from "@/lib/http/api/csv";
import { offsetOf, type Page, type PageRequest, pageBeyondEnd } from "@/lib/http/api/paging";
import type { Search } from "./search";

// How the back office reads its lists: first the ids of a page, in order, from one index if possible;
// then the rows of these ids with their related data.

/** The parts of a list's query. */
export interface ListSource {
  /** `users u` */
  from: SQL;
  /** `u.id` */
  id: SQL;
  /** All of them must hold. */
  where: readonly SQL[];
  search?: Search | null;
  /** What it is sorted by before the id. */
  by?: SQL | undefined;
  direction: Direction;
  /** Its rows are adjacent in the list's order, perhaps far from the beginning. */
  isClustered?: boolean;
}

/** Reads rows by their ids, in any order. */
type ReadRows<Row> = (ids: readonly number[]) => Promise<readonly Row[]>;

/** Above so many rows a total is an estimate: counting would cost more than the page. */
const MAX_COUNTED = 20_000;
/** Up to so many rows are filtered without an index, however common a word is. */
const MAX_FILTERED = 2_000;

/** One page of a list. */
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
  const size = await estimateSize(source);
  const { estimate, isCounted } = size;
  const query = matching(source);
  const counting = isCounted ? countAtMost({ query, max: MAX_COUNTED, estimate }) : estimate;
  if (offset > 0) {
    const beyond = await pageBeyondEnd({
      offset,
      total: await counting,
      maxCounted: isCounted ? MAX_COUNTED : 0,
      countAll: () => countAll({ query }),
    });
    if (beyond) return beyond;
  }
  const [ids, total] = await Promise.all([
    readIds({ source, size, count: limit + 1, offset }),
    counting,
  ]);
  const hasNext = ids.length > limit;
  const items = await readInIdOrder({ ids: ids.slice(0, limit), rows });
  // An estimate must not contradict the rows that were read.
  const seen = offset + items.length;
  return {
    items,
    total: hasNext ? Math.max(total, seen + 1) : items.length > 0 || offset === 0 ? seen : total,
    hasNext,
  };
}

/** The estimated size of a list, and what follows from it for reading a page and counting. */
interface Size {
  /** Without the search. */
  rows: number;
  estimate: number;
  /** All rows are found before they are sorted; otherwise the planner chooses. */
  isFew: boolean;
  /** Otherwise the total is an estimate. */
  isCounted: boolean;
}

async function estimateSize(source: ListSource): Promise<Size> {
  const { search, isClustered } = source;
  if (search && !search.common) return { rows: 0, estimate: 0, isFew: true, isCounted: true };
  const rows = await estimateRows(matching({ ...source, search: null }));
  if (!search?.common) {
    const isFew = isClustered === true && rows <= MAX_COUNTED;
    return { rows, estimate: rows, isFew, isCounted: true };
  }
  const isFew = rows <= MAX_FILTERED;
  return { rows, estimate: Math.round(rows * search.common.share), isFew, isCounted: isFew };
}

/**
 * The ids of a page. Estimates can be wrong, since words are correlated: where there are too many rows
 * to look up, the list is scanned, and where a scan of twice the expected length does not fill the
 * page, they are looked up after all.
 */
async function readIds({
  source,
  size: { rows, isFew },
  count,
  offset,
}: {
  source: ListSource;
  size: Size;
  count: number;
  offset: number;
}): Promise<number[]> {
  const read = (query: SQL) =>
    db.execute<{ id: number; found?: number }>(sql`${query} limit ${count} offset ${offset}`);
  const idsOf = async (query: SQL) => (await read(query)).map(({ id }) => id);
  if (isFew) return idsOf(sortQuery(source));
  const common = source.search?.common;
  if (!common) return idsOf(scanQuery(source));
  const { share, all, maxLookups } = common;
  const wanted = offset + count;
  const indexed = { ...source, search: { where: [common.indexCondition], common: null } };
  if (wanted <= maxLookups && share * all < wanted / share) {
    const found = await read(boundedSortQuery({ source: indexed, maxRows: maxLookups }));
    if ((found[0]?.found ?? 0) <= maxLookups) return found.map(({ id }) => id);
  }
  const span = 1_000 + Math.ceil((2 * wanted) / Math.max(share, maxLookups / all));
  if (span >= rows) return idsOf(scanQuery(source));
  const ids = await idsOf(boundedScanQuery({ source, span }));
  return ids.length === count ? ids : idsOf(sortQuery(indexed));
}

/** Rows per query of an export. */
const BATCH_SIZE = 1_000;

/**
 * All rows of a list, in batches. Their ids are read at once, seven bytes each, so that no transaction
 * stays open for a slow reader.
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

/** A list as CSV, read while it is sent. */
export function tableOf<Row extends { id: number }, Item>({
  name,
  columns,
  source,
  rows,
  toJson,
}: {
  /** The file name without date and extension: `commandes`. */
  name: string;
  columns: readonly CsvColumn<Item>[];
  source: () => ListSource | Promise<ListSource>;
  rows: ReadRows<Row>;
  toJson: (row: Row) => Item;
}): CsvTable {
  async function* batches() {
    for await (const found of readAll({ source: await source(), rows })) yield found.map(toJson);
  }
  return { name, lines: csvLines({ columns, batches: batches() }) };
}

/** The database, or a transaction. */
export type Reader = Pick<Transaction, "select" | "execute">;

/** The reads of one kind of objects: a page, a CSV export, one object. */
export function listOf<Query, Row extends { id: number }, Item>({
  sourceOf,
  read,
  ...table
}: {
  sourceOf: (query: Query) => Promise<ListSource>;
  read: (options: { ids: readonly number[]; tx?: Reader }) => Promise<readonly Row[]>;
  /** The name of the CSV file. */
  name: string;
  columns: readonly CsvColumn<Item>[];
  toJson: (row: Row) => Item;
}) {
  const rows = (ids: readonly number[]) => read({ ids });
  return {
    page: async (query: Query & PageRequest): Promise<Page<Row>> =>
      readPage({ source: await sourceOf(query), request: query, rows }),
    table: (query: Query): CsvTable => tableOf({ ...table, source: () => sourceOf(query), rows }),
    /** @throws 404 */
    one: async ({ id, tx = db }: { id: number; tx?: Reader }): Promise<Row> => {
      const [row] = await read({ ids: [id], tx });
      if (!row) throw fail.notFound();
      return row;
    },
  };
}

export const conditions = ({ where, search }: Pick<ListSource, "where" | "search">) =>
  sql.join([sql`true`, ...where, ...(search?.where ?? [])], sql` and `);

const matching = (source: Pick<ListSource, "from" | "where" | "search">) =>
  sql`select from ${source.from} where ${conditions(source)}`;

/** The ids in order; the planner chooses how. */
const scanQuery = (source: ListSource) =>
  sql`select ${source.id} as id from ${source.from} where ${conditions(source)}
    order by ${order(source)}`;

/** The same, of the list's first `span` rows. */
const boundedScanQuery = ({ source, span }: { source: ListSource; span: number }) =>
  sql`select id from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key,
        ${sql.join([...(source.search?.where ?? [])], sql` and `)} as is_match
      from ${source.from} where ${conditions({ ...source, search: null })}
      order by ${order(source)} limit ${span}
    ) walk where is_match order by ${keyOrder(source)}`;

/** The same, but all of them are found first: `offset 0` is an optimization fence. */
const sortQuery = (source: ListSource) =>
  sql`select id from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key
      from ${source.from} where ${conditions(source)} offset 0
    ) found order by ${keyOrder(source)}`;

/** The same, of `maxRows` rows and one more, with their number. */
const boundedSortQuery = ({ source, maxRows }: { source: ListSource; maxRows: number }) =>
  sql`select id, count(*) over ()::int as found from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key
      from ${source.from} where ${conditions(source)} limit ${maxRows + 1}
    ) found order by ${keyOrder(source)}`;

const keyOrder = ({ by, direction }: ListSource) =>
  order({ by: by && sql`key`, id: sql`id`, direction });

function order({ by, id, direction }: Pick<ListSource, "by" | "id" | "direction">): SQL {
  const suffix = sql.raw(direction);
  return by ? sql`${by} ${suffix}, ${id} ${suffix}` : sql`${id} ${suffix}`;
}

/** The rows in the order of `ids`, without those that were deleted meanwhile. */
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

/** The rows by `keyOf`, each group in the original order. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** `column = any('{1,2,3}')` */
export const isAmong = (column: SQL | { getSQL(): SQL }, ids: readonly number[]) =>
  sql`${column} = any(${sql.param([...ids])}::int[])`;
