import { sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { Pool } from "@/db/pool";
import { env } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";
import { perProcess } from "@/lib/per-process";

export type Database = PostgresJsDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** One pool per process, also where a module is loaded anew at each edit in development. */
const shared = perProcess<{ pool: Pool | undefined }>("database", () => ({ pool: undefined }));

/** Opened at the first use: neither `next build` nor a module that is merely loaded needs it. */
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

/** A transaction that waits at most so many seconds for a lock (SQLSTATE 55P03). */
export const transactionWithLockTimeout = <T>(
  run: (tx: Transaction) => Promise<T>,
  { seconds }: { seconds: number },
): Promise<T> =>
  db.transaction(async (tx) => {
    // `then` has it sent, together with the first statement of `run`.
    const limited = tx.execute(sql.raw(`set local lock_timeout = '${seconds}s'`)).then(() => null);
    const [result] = await Promise.all([run(tx), limited]);
    return result;
  });

/**
 * The last statements of a transaction, whose results it does not wait for: COMMIT goes along with
 * them. Where one of them fails PostgreSQL rolls back, and the transaction fails with its error.
 */
export function sentWithCommit<T>(results: Promise<T>): { results: Promise<T> } {
  // The transaction tells it.
  results.catch(() => undefined);
  return { results };
}

/** Closes the pool, so that a command can exit; the next query would open another one. */
export async function closeDatabase(): Promise<void> {
  const open = shared.pool;
  shared.pool = undefined;
  await open?.close();
}

/** The connections of this process by state, and how many requests wait for one. */
export const poolUsage = (): Pool["usage"] =>
  shared.pool?.usage ?? { used: 0, idle: 0, waiting: 0 };
