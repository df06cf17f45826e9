import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { countAtMost, estimateRows } from "@/db/count";
import {
  type DateBound,
  type DateQuery,
  type DateRange,
  type Direction,
  dateRangeOf,
  type SortQuery,
  sortOf,
} from "@/lib/backoffice/list-query";
import { fail } from "@/lib/errors";
import { type CsvColumn, type CsvTable, csvLines } from "@/lib/http/csv";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/paging";
import type { Search } from "./search";

// How the back office reads its lists: first the ids of a page, in order, from one index where there
// is one; then the rows of these ids with all that belongs to them.

/** What a list is made of, as parts of a query. */
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
  /** Its rows lie together somewhere in the list's order, perhaps far from the beginning. */
  liesTogether?: boolean;
}

/** Reads rows by their ids; in which order it gives them does not matter. */
type ReadRows<Row> = (ids: readonly number[]) => Promise<readonly Row[]>;

/** Above so many rows a total is an estimate: counting would cost more than the page. */
const COUNTED = 20_000;
/** So many texts are taken apart without regard to how common a word is. */
const SEARCHED = 2_000;

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
  const size = await sizeUp(source);
  const { estimate, isCounted } = size;
  const [ids, total] = await Promise.all([
    readIds({ source, size, count: limit + 1, offset }),
    isCounted ? countAtMost({ query: matching(source), most: COUNTED, estimate }) : estimate,
  ]);
  const hasNext = ids.length > limit;
  const items = await inOrder({ ids: ids.slice(0, limit), rows });
  // An estimate must not contradict what was seen.
  const seen = offset + items.length;
  return {
    items,
    total: hasNext ? Math.max(total, seen + 1) : items.length > 0 || offset === 0 ? seen : total,
    hasNext,
  };
}

/** About how large a list is, and what follows from that for reading a page and counting. */
interface Size {
  /** Without the search. */
  rows: number;
  estimate: number;
  /** All rows are found before they are sorted. Else PostgreSQL chooses. */
  isFew: boolean;
  /** Texts with a common word are too many to be taken apart for a total. */
  isCounted: boolean;
}

async function sizeUp(source: ListSource): Promise<Size> {
  const { search, liesTogether } = source;
  if (search && !search.common) return { rows: 0, estimate: 0, isFew: true, isCounted: true };
  const rows = await estimateRows(matching({ ...source, search: null }));
  if (!search?.common) {
    const isFew = liesTogether === true && rows <= COUNTED;
    return { rows, estimate: rows, isFew, isCounted: true };
  }
  const isFew = rows <= SEARCHED;
  return { rows, estimate: Math.round(rows * search.common.share), isFew, isCounted: isFew };
}

/**
 * The ids of a page. Estimates can be wrong, since words go together or exclude each other: where
 * rows that were to be looked up are too many the list is walked, and where they do not turn up on
 * twice the way that should be enough, they are looked up after all.
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
  const read = async (query: SQL) => {
    const found = await db.execute<{ id: number; found?: number }>(
      sql`${query} limit ${count} offset ${offset}`,
    );
    return found.rows;
  };
  const idsOf = async (query: SQL) => (await read(query)).map(({ id }) => id);
  if (isFew) return idsOf(sorted(source));
  const common = source.search?.common;
  if (!common) return idsOf(walked(source));
  const { share, all, most } = common;
  const wanted = offset + count;
  const indexed = { ...source, search: { where: [common.indexed], common: null } };
  if (wanted <= most && share * all < wanted / share) {
    const found = await read(sortedWithin({ source: indexed, most }));
    if ((found[0]?.found ?? 0) <= most) return found.map(({ id }) => id);
  }
  const span = 1_000 + Math.ceil((2 * wanted) / Math.max(share, most / all));
  if (span >= rows) return idsOf(walked(source));
  const ids = await idsOf(walkedWithin({ source, span }));
  return ids.length === count ? ids : idsOf(sorted(indexed));
}

/** Rows that are read at once for a table: as many as one hardly notices in memory. */
const BATCH = 1_000;

/**
 * All rows of a list, some at a time, for as long as somebody takes them. Their ids are read at
 * once, seven bytes each: no transaction stays open while a slow reader takes the rows.
 */
async function* readAll<Row extends { id: number }>({
  source,
  rows,
}: {
  source: ListSource;
  rows: ReadRows<Row>;
}): AsyncGenerator<readonly Row[]> {
  const { rows: found } = await db.execute<{ ids: string | null }>(
    sql`select string_agg(${source.id}::text, ',' order by ${order(source)}) as ids
      from ${source.from} where ${conditions(source)}`,
  );
  const ids = Int32Array.from((found[0]?.ids ?? "").split(",").filter(Boolean), Number);
  for (let start = 0; start < ids.length; start += BATCH)
    yield await inOrder({ ids: [...ids.subarray(start, start + BATCH)], rows });
}

/** A list as a table for spreadsheets, read while it is sent. */
export function tableOf<Row extends { id: number }, Item>({
  name,
  columns,
  source,
  rows,
  toJson,
}: {
  /** The file's name without date and ending: `commandes`. */
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

/** What reads: the database, or a transaction. */
export type Reader = Pick<Transaction, "select" | "execute">;

/** How everybody's things of one kind are read: a page of them, all of them, one of them. */
export function listOf<Query, Row extends { id: number }, Item>({
  sourceOf,
  read,
  ...table
}: {
  sourceOf: (query: Query) => Promise<ListSource>;
  read: (options: { ids: readonly number[]; tx?: Reader }) => Promise<readonly Row[]>;
  /** Of the table for spreadsheets. */
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

const conditions = ({ where, search }: Pick<ListSource, "where" | "search">) =>
  sql.join([sql`true`, ...where, ...(search?.where ?? [])], sql` and `);

const matching = (source: Pick<ListSource, "from" | "where" | "search">) =>
  sql`select from ${source.from} where ${conditions(source)}`;

/** The ids in order, for PostgreSQL to choose how. */
const walked = (source: ListSource) =>
  sql`select ${source.id} as id from ${source.from} where ${conditions(source)}
    order by ${order(source)}`;

/** The same, of the list's first `span` rows. */
const walkedWithin = ({ source, span }: { source: ListSource; span: number }) =>
  sql`select id from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key,
        ${sql.join([...(source.search?.where ?? [])], sql` and `)} as is_match
      from ${source.from} where ${conditions({ ...source, search: null })}
      order by ${order(source)} limit ${span}
    ) walk where is_match order by ${keyOrder(source)}`;

/** The same, but all of them are found first: `offset 0` keeps the planner from looking further. */
const sorted = (source: ListSource) =>
  sql`select id from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key
      from ${source.from} where ${conditions(source)} offset 0
    ) found order by ${keyOrder(source)}`;

/** The same, of `most` rows and one more, with their number. */
const sortedWithin = ({ source, most }: { source: ListSource; most: number }) =>
  sql`select id, count(*) over ()::int as found from (
      select ${source.id} as id, ${source.by ?? sql`null`} as key
      from ${source.from} where ${conditions(source)} limit ${most + 1}
    ) found order by ${keyOrder(source)}`;

const keyOrder = ({ by, direction }: ListSource) =>
  order({ by: by && sql`key`, id: sql`id`, direction });

function order({ by, id, direction }: Pick<ListSource, "by" | "id" | "direction">): SQL {
  const suffix = sql.raw(direction);
  return by ? sql`${by} ${suffix}, ${id} ${suffix}` : sql`${id} ${suffix}`;
}

/** The rows in the order of their ids; one that has gone meanwhile is passed over. */
async function inOrder<Row extends { id: number }>({
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

/** The rows by what `keyOf` gives, each in the order in which they came. */
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

/**
 * What a query says of a list whose rows have a date: of which days, and in which order. The newest
 * come first unless said otherwise: of a range by the date, which has an index.
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
  return { dates, sort: { by, direction, liesTogether: isRange && field !== date } };
}

/** The rows whose date is in a range. */
export function isWithin(column: SQL, { after, before }: DateRange): SQL[] {
  const conditions: SQL[] = [];
  if (after) conditions.push(sql`${column} >= ${startOf(after)}`);
  if (before)
    conditions.push(
      "day" in before
        ? sql`${column} < ((${before.day}::date + 1)::timestamp at time zone 'Europe/Paris')`
        : sql`${column} <= ${before.instant}::timestamptz`,
    );
  return conditions;
}

const startOf = (bound: DateBound) =>
  "day" in bound
    ? sql`(${bound.day}::date::timestamp at time zone 'Europe/Paris')`
    : sql`${bound.instant}::timestamptz`;
