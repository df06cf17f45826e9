import { type SQL, sql } from "drizzle-orm";
import { type Database, db } from "@/db";

/** Reads from the primary or the replica. */
export type Read = <T>(run: (from: Database) => PromiseLike<T>) => Promise<T>;

export const fromPrimary: Read = async (run) => run(db);

/**
 * Counts the rows if the estimate is low enough; otherwise returns the estimate.
 *
 * @param query `select from …`
 * @param estimate replaces the planner's
 * @param read from the primary or the replica (replica.ts)
 * @returns exact up to `max`; above `max` approximate: where the estimate was too low, the number at which
 *   counting stopped
 */
export async function countAtMost({
  query,
  max,
  estimate,
  read = fromPrimary,
}: {
  query: SQL;
  max: number;
  estimate?: number;
  read?: Read;
}): Promise<number> {
  const estimated = estimate ?? (await estimateRows(query, read));
  if (estimated > max) return estimated;
  const rows = await read((from) =>
    from.execute<{ count: number }>(
      sql`select count(*)::int as count from (${query} limit ${2 * max}) rows`,
    ),
  );
  return rows[0]?.count ?? 0;
}

/** Counts all rows, however many. */
export async function countAll({
  query,
  read = fromPrimary,
}: {
  query: SQL;
  read?: Read;
}): Promise<number> {
  const rows = await read((from) =>
    from.execute<{ count: number }>(sql`select count(*)::int as count from (${query}) rows`),
  );
  return rows[0]?.count ?? 0;
}

/** The planner's estimate of a query's number of rows. */
export async function estimateRows(query: SQL, read: Read = fromPrimary): Promise<number> {
  const rows = await read((from) =>
    from.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
      sql`explain (format json) ${query}`,
    ),
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
