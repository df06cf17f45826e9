import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";

/**
 * Counts the rows if the estimate is low enough; otherwise returns the estimate.
 *
 * @param query `select from …`
 * @param estimate replaces the planner's
 * @returns exact up to `max`; above `max` approximate: where the estimate was too low, the number at which
 *   counting stopped
 */
export async function countAtMost({
  query,
  max,
  estimate,
}: {
  query: SQL;
  max: number;
  estimate?: number;
}): Promise<number> {
  const estimated = estimate ?? (await estimateRows(query));
  return estimated > max ? estimated : countAll(sql`${query} limit ${2 * max}`);
}

/** Counts all rows, however many. */
export async function countAll(query: SQL): Promise<number> {
  const rows = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${query}) rows`,
  );
  return rows[0]?.count ?? 0;
}

/** The planner's estimate of a query's number of rows. */
export async function estimateRows(query: SQL): Promise<number> {
  const rows = await db.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${query}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
