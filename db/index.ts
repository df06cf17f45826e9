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
import { transactionSession } from "@/db/transaction-session";
import { isDatabaseTimeout, isDatabaseUnavailable } from "@/lib/database-outage";
import { env } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";
import { perProcess } from "@/lib/per-process";

export { isDatabaseTimeout, isDatabaseUnavailable };

export type Database = NodePgDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
type TransactionConfig = Parameters<Database["transaction"]>[1];

interface Connection {
  pool: Pool;
  database: Database;
  /** As `database`, with named prepared statements. */
  prepared: Database;
  /** Names the statements of a connection; undefined where it may have no prepared statements. */
  namesOf: (client: ClientBase) => NameOf | undefined;
}

/** One pool per process, also where a module is loaded anew at each edit in development. */
const shared = perProcess<{ connection: Connection | undefined }>("database", () => ({
  connection: undefined,
}));

/** Seconds that the server has to report the timeout of a statement. */
const GRACE = 1;

/**
 * Sets the server's timeouts for statements and idle transactions: else queries would go on after
 * their visitors have left. By a statement, since PgBouncer refuses parameters at the start of a
 * connection (behind it: docs/faults.md).
 */
async function limitStatements(client: ClientBase): Promise<void> {
  const { DATABASE_TIMEOUT } = env();
  await client.query(
    `SET statement_timeout = '${DATABASE_TIMEOUT}s'; SET idle_in_transaction_session_timeout = '${2 * DATABASE_TIMEOUT}s'`,
  );
}

/** Opened at the first use: neither `next build` nor a module that is merely loaded needs it. */
function connection(): Connection {
  const open = shared.connection;
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
    // The query, or the server's report of its timeout, may be lost in the network.
    query_timeout: (DATABASE_TIMEOUT + GRACE) * 1_000,
    onConnect: async (client) => {
      await limitStatements(client);
      if (await isDirect(client)) direct.add(client);
    },
    keepAlive: true,
    pipeline: true,
    application_name: "mini-ecommerce",
  });
  // A connection may break while it is idle in the pool, or in a transaction between two queries.
  // Without a listener either event would end the process; the next query fails anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const nameOf = statementNames();
  const namesOf = (client: ClientBase) => (direct.has(client) ? nameOf : undefined);
  const made = {
    pool,
    database: drizzle({ client: pool }),
    prepared: databaseOf(namedPool(pool, { namesOf })),
    namesOf,
  };
  shared.connection = made;
  return made;
}

const databaseOf = (session: Session): Database => drizzle({ client: session as PoolClient });

/**
 * As drizzle's, but it always releases the connection: drizzle's own leaks it when BEGIN fails, so
 * that after some such failures the pool would be empty.
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
  const last: Promise<unknown>[] = [];
  let failure: unknown;
  try {
    const named = namedSession(client, { nameOf: namesOf(client) });
    const session = transactionSession(client, { session: named, opening });
    const result = await databaseOf(session).transaction(async (tx) => {
      lastStatements.set(tx, last);
      try {
        return await run(tx);
      } catch (error) {
        failure = error;
        // A rollback would wait behind the statement that timed out.
        if (isDatabaseTimeout(error)) await client.end();
        throw error;
      }
    }, config);
    await Promise.all(last);
    return result;
  } catch (error) {
    // The error of `run` says more than that of the rollback, and a statement's more than COMMIT's.
    failure ??= await Promise.all(last).then(
      () => error,
      (cause: unknown) => cause,
    );
    throw failure;
  } finally {
    client.release(isDatabaseUnavailable(failure));
  }
}

const lastStatements = new WeakMap<Transaction, Promise<unknown>[]>();

/**
 * Sends the last statement of a transaction: COMMIT follows in the same packet, without waiting for
 * its result, and fails with its error where it failed.
 *
 * @returns its result, for whoever has awaited the transaction; return it inside of an object
 */
export function sendWithCommit<T>(tx: Transaction, statement: PromiseLike<T>): Promise<T> {
  const last = lastStatements.get(tx);
  if (!last) throw new Error("Only the statements of a transaction itself can go with its COMMIT.");
  // `then` makes drizzle send it.
  const sent = Promise.resolve(statement.then((result) => result));
  sent.catch(() => undefined);
  last.push(sent);
  return sent;
}

/** A transaction that waits at most so many seconds for a lock (SQLSTATE 55P03). */
export const transactionWithLockTimeout = <T>(
  run: (tx: Transaction) => Promise<T>,
  { seconds }: { seconds: number },
): Promise<T> => runTransaction({ run, opening: `set local lock_timeout = '${seconds}s'` });

/** The shop's database; connects at the first query. */
export const db: Database = lazyDatabase(({ database }) => database);

/** The same with prepared statements, for frequent ones that have one good plan for all values. */
export const preparedDb: Database = lazyDatabase(({ prepared }) => prepared);

function lazyDatabase(which: (connection: Connection) => Database): Database {
  return new Proxy({} as Database, {
    get: (_, property) => {
      if (property === "transaction") return transaction;
      const database = which(connection());
      const value: unknown = Reflect.get(database, property);
      return typeof value === "function" ? value.bind(database) : value;
    },
  });
}

/** Closes the pool, so that a command can exit; the next query would open another one. */
export async function closeDatabase(): Promise<void> {
  const open = shared.connection;
  shared.connection = undefined;
  await open?.pool.end();
}

/** The connections of this process by state, and how many requests wait for one. */
export function poolUsage(): { used: number; idle: number; waiting: number } {
  const pool = shared.connection?.pool;
  if (!pool) return { used: 0, idle: 0, waiting: 0 };
  const { totalCount, idleCount, waitingCount } = pool;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
