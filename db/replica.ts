import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool, type PoolClient } from "pg";
import { type Database, db, isDatabaseUnavailable } from "@/db";
import { env } from "@/lib/env";
import { log } from "@/lib/http/log";

/** Milliseconds that a replica which is away is left alone. */
const REST_MS = 5_000;
/** Milliseconds between two questions how far the replica is. */
const ASK_AGAIN_MS = 20;
/** Milliseconds after which a replica that hangs counts as away. */
const QUERY_MS = 5_000;
/** Milliseconds to wait for a connection to it. */
const CONNECT_MS = 1_000;

/** Milliseconds that a connection is kept without use: a new one costs a question how far it is. */
const IDLE_MS = 600_000;

/** A place in the primary's journal: bytes since its beginning. */
type Place = bigint;
const NOWHERE: Place = -1n;

type Run<T> = (from: Database) => PromiseLike<T>;

/**
 * A server that follows the primary, some milliseconds or more behind it. What the shop's caches are
 * filled with must hold every change that has expired them, or an old price would be kept as a new one:
 * the replica is read only while it is known to have come as far as the primary was after the last
 * such change. docs/decisions/036.
 */
class Replica {
  private readonly pool: Pool;
  private readonly database: Database;
  /** Changes that have expired something, and how many of them `required` takes into account. */
  private changes = 1;
  private counted = 0;
  /** How far the replica must be, and is, as places in the primary's journal. */
  private required: Place = 0n;
  private reached: Place = NOWHERE;
  private isAway = false;
  private measuring: Promise<void> | undefined;
  private restsUntil = 0;

  constructor(url: string) {
    this.pool = new Pool({
      connectionString: url,
      max: env().DATABASE_POOL_MAX,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      application_name: "mini-ecommerce",
      // The address may lead to a server that was started anew, and is not as far as it was.
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${QUERY_MS}`);
        this.reached = await placeOfReplica(drizzle({ client: client as PoolClient }));
      },
    });
    this.pool.on("error", () => undefined);
    this.pool.on("connect", (client) => client.on("error", () => undefined));
    this.database = drizzle({ client: this.pool });
  }

  /** Something has been expired: what is read from now on must hold the change that did it. */
  noteChange(): void {
    this.changes += 1;
  }

  async read<T>({ run, primary }: { run: Run<T>; primary: Database }): Promise<T> {
    if (!this.isFresh()) return run(primary);
    const { required } = this;
    try {
      const found = await run(this.database);
      return this.reached >= required ? found : run(primary);
    } catch (error) {
      // A replica may also end a query for the sake of what it is told by the primary.
      if (isDatabaseUnavailable(error) || isTimeout(error)) this.rest(error);
      return run(primary);
    }
  }

  /** Whether the replica may be read; nobody waits to find out. */
  private isFresh(): boolean {
    if (this.counted === this.changes && this.reached >= this.required) return true;
    if (performance.now() >= this.restsUntil) this.measuring ??= this.measure();
    return false;
  }

  private async measure(): Promise<void> {
    try {
      const { changes } = this;
      if (this.counted !== changes) {
        this.required = await placeOf({ from: db, expression: sql`pg_current_wal_insert_lsn()` });
        this.counted = changes;
      }
      this.reached = await placeOfReplica(this.database);
      this.restsUntil = performance.now() + ASK_AGAIN_MS;
      this.isAway = false;
    } catch (error) {
      this.rest(error);
    } finally {
      this.measuring = undefined;
    }
  }

  private rest(error: unknown): void {
    if (!this.isAway) log.warn({ err: error }, "the replica is away: the primary is read");
    this.isAway = true;
    this.reached = NOWHERE;
    this.restsUntil = performance.now() + REST_MS;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.message === "Query read timeout" || isTimeout(error.cause));

/** @throws where there is none: a server that follows no other is no replica */
async function placeOf({ from, expression }: { from: Database; expression: SQL }): Promise<Place> {
  const { rows } = await from.execute<{ place: string | null }>(
    sql`select pg_wal_lsn_diff(${expression}, '0/0')::text as place`,
  );
  const place = rows[0]?.place ?? null;
  if (place === null) throw new Error("DATABASE_REPLICA_URL is no replica.");
  return BigInt(place);
}

const placeOfReplica = (from: Database) =>
  placeOf({
    from,
    expression: sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end`,
  });

// Next.js may load this module once per bundle; one process has one. cache-handler.mjs tells it of
// changes.
const KEY = Symbol.for("mini-ecommerce.replica");
const shared = globalThis as { [KEY]?: Replica | null };

function replica(): Replica | null {
  if (shared[KEY] === undefined) {
    const { DATABASE_REPLICA_URL } = env();
    shared[KEY] = DATABASE_REPLICA_URL ? new Replica(DATABASE_REPLICA_URL) : null;
  }
  return shared[KEY];
}

/**
 * Reads the catalogue: from the replica, if there is one that holds whatever the shop's caches have
 * been told of, else from `primary`. `run` may be called twice.
 */
export async function fromReplica<T>(
  run: Run<T>,
  { primary = db }: { primary?: Database } = {},
): Promise<T> {
  const following = replica();
  return following ? following.read({ run, primary }) : run(primary);
}
