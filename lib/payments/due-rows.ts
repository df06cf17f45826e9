import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "@/db";
import { secondsFromNow } from "@/db/time";

// Checkouts, reversals and refunds wait in their tables until their next attempt is due. A process that works
// on a row first postpones that time, so that no other process takes the row. After a crash the row is due
// again.

/** Seconds during which a claimed row cannot be claimed by another process. */
const CLAIM_SECONDS = 120;

/** The time from which a row claimed now may be claimed again. */
export const claimEnd = secondsFromNow(CLAIM_SECONDS);

/** One pass over the due rows. Any number of processes may run a batch at once. */
export interface BatchOptions {
  /** Most rows per batch. */
  limit: number;
  /** Includes rows that are due later. */
  isEager?: boolean | undefined;
  /** Stops before the next row. */
  signal?: AbortSignal | undefined;
}

/** A table of waiting rows. */
interface Queue<Row> {
  table: PgTable;
  id: PgColumn;
  dueAt: PgColumn;
  /** The condition of waiting rows. */
  isPending: SQL;
  /** Sets `dueAt` of the row that meets the condition to `claimEnd`, and returns the row. */
  claim: (isNext: SQL) => PromiseLike<Row[]>;
  idOf: (row: Row) => string | number;
  work: (row: Row) => Promise<void>;
}

/** Claims due rows and works on them, one after the other, each at most once per batch. */
export async function processDueRows<Row>(
  { limit, isEager = false, signal }: BatchOptions,
  { table, id, dueAt, isPending, claim, idOf, work }: Queue<Row>,
): Promise<void> {
  const seen: (string | number)[] = [];
  while (seen.length < limit && !signal?.aborted) {
    const isSeen = sql`${id} = any(${sql.param([...seen])}::${sql.raw(id.getSQLType())}[])`;
    const next = db
      .select({ id })
      .from(table)
      .where(and(isPending, isEager ? undefined : lte(dueAt, sql`now()`), sql`not ${isSeen}`))
      .orderBy(asc(dueAt))
      .limit(1)
      .for("update", { skipLocked: true });
    const [row] = await claim(eq(id, sql`(${next})`));
    if (!row) return;
    seen.push(idOf(row));
    await work(row);
  }
}
