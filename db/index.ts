import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { type ClientBase, Pool, type PoolClient } from "pg";
import {
  isDirect,
  type NameOf,
  namedPool,
  namedSession,
  type Session,
  statementNames,
} from "@/db/named-statements";
import { isDatabaseSlow, isDatabaseUnavailable } from "@/db/unavailable";
import { env } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";

export { isDatabaseSlow, isDatabaseUnavailable };

export type Database = NodePgDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
type TransactionConfig = Parameters<Database["transaction"]>[1];

interface Connection {
  pool: Pool;
  database: Database;
  /** As `database`, with names for its statements. */
  planned: Database;
  /** The names of statements on a connection; undefined where none may be left on it. */
  namesOf: (client: ClientBase) => NameOf | undefined;
}

// Next.js may load this module once per bundle, and anew at each edit in development: the pool is
// one per process.
const KEY = Symbol.for("mini-ecommerce.database");
const shared = globalThis as unknown as Record<symbol, Connection | undefined>;

/** Seconds that the server has to say that a statement took too long. */
const GRACE = 1;

/**
 * Has the server end what takes too long, and transactions that nobody goes on with: else a slow hour
 * leaves queries behind whose visitors have long gone. By a statement, since PgBouncer refuses
 * parameters at the start of a connection (behind it: docs/faults.md).
 */
async function limitStatements(client: ClientBase): Promise<void> {
  const { DATABASE_TIMEOUT } = env();
  await client.query(
    `SET statement_timeout = '${DATABASE_TIMEOUT}s'; SET idle_in_transaction_session_timeout = '${2 * DATABASE_TIMEOUT}s'`,
  );
}

/** Opened at the first use: neither `next build` nor a module that is merely loaded needs it. */
function connection(): Connection {
  const open = shared[KEY];
  if (open) return open;
  const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_TIMEOUT } = env();
  if (!DATABASE_URL) {
    throw new OperatorError(
      "DATABASE_URL manque. Lancez la boutique avec npm start ou npm run dev, qui apportent leur propre base de données, ou donnez l'adresse de la vôtre.",
    );
  }
  const direct = new WeakSet<ClientBase>();
  const pool = new Pool({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL_MAX,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // The network may have swallowed the query, or the server's answer that it has given up.
    query_timeout: (DATABASE_TIMEOUT + GRACE) * 1_000,
    onConnect: async (client) => {
      await limitStatements(client);
      if (await isDirect(client)) direct.add(client);
    },
    keepAlive: true,
    application_name: "mini-ecommerce",
  });
  // A connection may break while it idles in the pool, or in a transaction between two queries.
  // Either event would end the process if nobody listened; the next query tells the caller.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const nameOf = statementNames();
  const namesOf = (client: ClientBase) => (direct.has(client) ? nameOf : undefined);
  const made = {
    pool,
    database: drizzle({ client: pool }),
    planned: databaseOf(namedPool(pool, { namesOf })),
    namesOf,
  };
  shared[KEY] = made;
  return made;
}

const databaseOf = (session: Session): Database => drizzle({ client: session as PoolClient });

/**
 * As drizzle's, but it gives the connection back whatever happens: drizzle's own keeps it for good
 * when BEGIN fails, so that after a few such failures the pool would be empty.
 */
const transaction: Database["transaction"] = (run, config) => runTransaction({ run, config });

async function runTransaction<T>({
  run,
  config,
  opening,
}: {
  run: (tx: Transaction) => Promise<T>;
  config?: TransactionConfig | undefined;
  opening?: string;
}): Promise<T> {
  const { pool, namesOf } = connection();
  const client = await pool.connect();
  let failure: unknown;
  try {
    const session = namedSession(client, { nameOf: namesOf(client), opening });
    return await databaseOf(session).transaction(async (tx) => {
      try {
        return await run(tx);
      } catch (error) {
        failure = error;
        // Rolling back would wait behind the statement that was given up.
        if (isDatabaseSlow(error)) await client.end();
        throw error;
      }
    }, config);
  } catch (error) {
    // What `run` has met says more than that it could not be rolled back.
    failure ??= error;
    throw failure;
  } finally {
    client.release(isDatabaseUnavailable(failure));
  }
}

/** A transaction that waits for locks of others for so many seconds at most (SQLSTATE 55P03). */
export const impatientTransaction = <T>(
  run: (tx: Transaction) => Promise<T>,
  { seconds }: { seconds: number },
): Promise<T> => runTransaction({ run, opening: `set local lock_timeout = '${seconds}s'` });

/** The shop's database; connects at the first query. */
export const db: Database = opened(({ database }) => database);

/** The same for single statements that are asked all the time, and have one good plan for all values. */
export const plannedDb: Database = opened(({ planned }) => planned);

function opened(which: (connection: Connection) => Database): Database {
  return new Proxy({} as Database, {
    get: (_, property) => {
      if (property === "transaction") return transaction;
      const database = which(connection());
      const value: unknown = Reflect.get(database, property);
      return typeof value === "function" ? value.bind(database) : value;
    },
  });
}

/** Ends the pool, so that a command can end; the next query would open another one. */
export async function closeDatabase(): Promise<void> {
  const open = shared[KEY];
  shared[KEY] = undefined;
  await open?.pool.end();
}

/** Connections of this process by what they do, and how many requests wait for one. */
export function poolUsage(): { used: number; idle: number; waiting: number } {
  const pool = shared[KEY]?.pool;
  if (!pool) return { used: 0, idle: 0, waiting: 0 };
  const { totalCount, idleCount, waitingCount } = pool;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
