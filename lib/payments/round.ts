import { and, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Seconds that no other process claims a row that is being worked on. */
export const CLAIM_SECONDS = 120;

/** The time at which a row that is claimed now may be claimed again. */
export const claimEnd = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;

/** One look at what is due. Any number of processes may have one at once. */
export interface Round {
  /** Rows at most. */
  limit: number;
  /** Includes what is due later. */
  isEager?: boolean | undefined;
  /** Stops before the next row. */
  signal?: AbortSignal | undefined;
}

/** Which rows a round may still claim. */
export interface Claimable<Id> {
  isEager: boolean;
  /** Those that it has had. */
  seen: readonly Id[];
}

/**
 * Claims rows that are due and works on them, one after the other, each at most once.
 *
 * @param claim undefined where nothing is due any more
 */
export async function workThrough<Row, Id>(
  { limit, isEager = false, signal }: Round,
  {
    claim,
    idOf,
    work,
  }: {
    claim: (claimable: Claimable<Id>) => Promise<Row | undefined>;
    idOf: (row: Row) => Id;
    work: (row: Row) => Promise<void>;
  },
): Promise<void> {
  const seen: Id[] = [];
  while (seen.length < limit && !signal?.aborted) {
    const row = await claim({ isEager, seen });
    if (!row) return;
    seen.push(idOf(row));
    await work(row);
  }
}

/** The condition that a row is claimable, by its id and the time when it is due. */
export const isClaimable = (
  { id, dueAt }: { id: PgColumn; dueAt: PgColumn },
  { isEager, seen }: Claimable<unknown>,
): SQL | undefined =>
  and(
    isEager ? undefined : lte(dueAt, sql`now()`),
    seen.length > 0
      ? sql`${id} <> all(${sql.param([...seen])}::${sql.raw(id.getSQLType())}[])`
      : undefined,
  );
