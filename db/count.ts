import { type SQL, sql } from "drizzle-orm";
import { type Database, db } from "@/db";

type Read = <T>(run: (from: Database) => PromiseLike<T>) => Promise<T>;

const fromPrimary: Read = async (run) => run(db);

/**
 * Counts rows where they are likely to be few enough, and believes the estimate where not.
 *
 * @param query `select from …`
 * @param estimate the planner's, unless there is a better one
 * @param read where from: replica.ts
 */
export async function countAtMost({
  query,
  most,
  estimate,
  read = fromPrimary,
}: {
  query: SQL;
  most: number;
  estimate?: number;
  read?: Read;
}): Promise<number> {
  const estimated = estimate ?? (await estimateRows(query, read));
  if (estimated > most) return estimated;
  const { rows } = await read((from) =>
    from.execute<{ count: number }>(
      sql`select count(*)::int as count from (${query} limit ${2 * most}) rows`,
    ),
  );
  return rows[0]?.count ?? 0;
}

/** The planner's guess of how many rows a query finds. */
export async function estimateRows(query: SQL, read: Read = fromPrimary): Promise<number> {
  const { rows } = await read((from) =>
    from.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
      sql`explain (format json) ${query}`,
    ),
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
