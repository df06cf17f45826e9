import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";

/**
 * Counts rows where they are likely to be few enough, and believes the estimate where not.
 *
 * @param query `select from …`
 * @param estimate the planner's, unless there is a better one
 */
export async function countAtMost({
  query,
  most,
  estimate,
}: {
  query: SQL;
  most: number;
  estimate?: number;
}): Promise<number> {
  const estimated = estimate ?? (await estimateRows(query));
  if (estimated > most) return estimated;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${query} limit ${2 * most}) rows`,
  );
  return rows[0]?.count ?? 0;
}

/** The planner's guess of how many rows a query finds. */
export async function estimateRows(query: SQL): Promise<number> {
  const { rows } = await db.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${query}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
