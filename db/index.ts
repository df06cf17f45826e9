import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { isDatabaseUnavailable } from "@/db/unavailable";
import { env } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";

export { isDatabaseUnavailable };

export type Database = NodePgDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

interface Connection {
  pool: Pool;
  database: Database;
}

// Next.js may load this module once per bundle, and anew at each edit in development: the pool is
// one per process.
const KEY = Symbol.for("mini-ecommerce.database");
const shared = globalThis as unknown as Record<symbol, Connection | undefined>;

/** Opened at the first use: neither `next build` nor a module that is merely loaded needs it. */
function connection(): Connection {
  const open = shared[KEY];
  if (open) return open;
  const { DATABASE_URL, DATABASE_POOL_MAX } = env();
  if (!DATABASE_URL) {
    throw new OperatorError(
      "DATABASE_URL manque. Lancez la boutique avec npm start ou npm run dev, qui apportent leur propre base de données, ou donnez l'adresse de la vôtre.",
    );
  }
  const pool = new Pool({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL_MAX,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "mini-ecommerce",
  });
  // A connection may break while it idles in the pool, or in a transaction between two queries.
  // Either event would end the process if nobody listened; the next query tells the caller.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const opened = { pool, database: drizzle({ client: pool }) };
  shared[KEY] = opened;
  return opened;
}

/**
 * As drizzle's, but it gives the connection back whatever happens: drizzle's own keeps it for good
 * when BEGIN fails, so that after a few such failures the pool would be empty.
 */
const transaction: Database["transaction"] = async (run, config) => {
  const client = await connection().pool.connect();
  let isBroken = false;
  try {
    return await drizzle({ client }).transaction(run, config);
  } catch (error) {
    isBroken = isDatabaseUnavailable(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
};

/** The shop's database; connects at the first query. */
export const db: Database = new Proxy({} as Database, {
  get: (_, property) => {
    if (property === "transaction") return transaction;
    const { database } = connection();
    const value: unknown = Reflect.get(database, property);
    return typeof value === "function" ? value.bind(database) : value;
  },
});

/** Ends the pool, so that a command can end; the next query would open another one. */
export async function closeDatabase(): Promise<void> {
  const open = shared[KEY];
  shared[KEY] = undefined;
  await open?.pool.end();
}
