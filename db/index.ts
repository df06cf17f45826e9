import { sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { Pool } from "@/db/pool";
import { env } from "@/lib/env";
import { OperatorError } from "@/lib/errors/operator-error";
import { perProcess } from "@/lib/runtime/per-process";

export type Database = PostgresJsDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** One pool per process, even when development reloads this module after an edit. */
const shared = perProcess<{ pool: Pool | undefined }>("database", () => ({ pool: undefined }));

/** Opened at the first use: `next build` and imports need no database. */
function pool(): Pool {
  const open = shared.pool;
  if (open) return open;
  const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_TIMEOUT, DATABASE_PREPARE } = env();
  if (!DATABASE_URL) {
    throw new OperatorError(
      "DATABASE_URL manque. Lancez la boutique avec npm start ou npm run dev, qui apportent leur propre base de données, ou donnez l'adresse de la vôtre.",
    );
  }
  const made = new Pool({
    url: DATABASE_URL,
    max: DATABASE_POOL_MAX,
    connectTimeout: 5,
    statementTimeout: DATABASE_TIMEOUT,
    idleTimeout: 30,
    applicationName: "mini-ecommerce",
    isPrepared: DATABASE_PREPARE,
  });
  shared.pool = made;
  return made;
}

/** The shop's database; connects at the first query. */
export const db: Database = new Proxy({} as Database, {
  get: (_, property) => {
    const { database } = pool();
    const value: unknown = Reflect.get(database, property);
    return typeof value === "function" ? value.bind(database) : value;
  },
});

/** A transaction that fails with SQLSTATE 55P03 after waiting `seconds` for a lock. */
export const transactionWithLockTimeout = <T>(
  run: (tx: Transaction) => Promise<T>,
  { seconds }: { seconds: number },
): Promise<T> =>
  db.transaction(async (tx) => {
    // `then` sends the statement, together with the first one of `run`.
    const limited = tx.execute(sql.raw(`set local lock_timeout = '${seconds}s'`)).then(() => null);
    const [result] = await Promise.all([run(tx), limited]);
    return result;
  });

/**
 * Wraps the results of a transaction's last statements, so that COMMIT is sent without waiting for them.
 * If one of them fails, PostgreSQL rolls back and the transaction fails with that error.
 */
export function sentWithCommit<T>(results: Promise<T>): { results: Promise<T> } {
  // The transaction reports the error.
  results.catch(() => undefined);
  return { results };
}

/** Closes the pool, so that a command can exit; the next query opens another pool. */
export async function closeDatabase(): Promise<void> {
  const open = shared.pool;
  shared.pool = undefined;
  await open?.close();
}

/** The connections of this process by state, and the number of statements waiting for one. */
export const poolUsage = (): Pool["usage"] =>
  shared.pool?.usage ?? { used: 0, idle: 0, waiting: 0 };
