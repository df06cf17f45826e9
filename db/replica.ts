import { type SQL, sql } from "drizzle-orm";
import { type Database, db } from "@/db";
import { Pool } from "@/db/pool";
import { isDatabaseUnavailable } from "@/lib/database-outage";
import { env } from "@/lib/env";
import { cacheStore } from "@/lib/http/cache/store";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/per-process";

/** Milliseconds before an unavailable replica is tried again. */
const BACKOFF_MS = 5_000;
/** Milliseconds between two checks of the replica's LSN. */
const LSN_CHECK_MS = 20;
/** Seconds after which it cancels a statement. */
const STATEMENT_TIMEOUT = 4;
/** Seconds to wait for a connection to it. */
const CONNECT_TIMEOUT = 1;

/** Seconds: long, since a new connection costs a check of the LSN. */
const IDLE_TIMEOUT = 600;

/** A log sequence number: a position in the primary's WAL, as bytes since its beginning. */
type Lsn = bigint;
const UNKNOWN_LSN: Lsn = -1n;

type Run<T> = (from: Database) => PromiseLike<T>;

/**
 * A server that follows the primary with some lag. What fills the shop's caches must contain every
 * change that has expired them, or an old price would be cached as a new one: the replica is read only
 * while it is known to have replayed the WAL up to the last such change.
 */
class Replica {
  private readonly pool: Pool;
  /** Changes that have expired cache entries, and how many of them `requiredLsn` covers. */
  private changes = 1;
  private countedChanges = 0;
  /** The LSN that the replica must have replayed, and the one that it has. */
  private requiredLsn: Lsn = 0n;
  private replayedLsn: Lsn = UNKNOWN_LSN;
  private isUnavailable = false;
  private checking: Promise<void> | undefined;
  private nextCheckAt = 0;

  constructor(url: string) {
    const { DATABASE_POOL_MAX, DATABASE_PREPARE } = env();
    this.pool = new Pool({
      url,
      max: DATABASE_POOL_MAX,
      connectTimeout: CONNECT_TIMEOUT,
      statementTimeout: STATEMENT_TIMEOUT,
      idleTimeout: IDLE_TIMEOUT,
      applicationName: "mini-ecommerce",
      isPrepared: DATABASE_PREPARE,
      // The URL may lead to a restarted server that is behind the former one.
      onConnect: () => {
        this.replayedLsn = UNKNOWN_LSN;
      },
    });
  }

  /** Cache entries were expired: what is read from now on must contain the change. */
  noteChange(): void {
    this.changes += 1;
  }

  async read<T>(run: Run<T>): Promise<T> {
    if (!this.isFresh()) return run(db);
    const { requiredLsn } = this;
    try {
      const result = await run(this.pool.database);
      return this.replayedLsn >= requiredLsn ? result : run(db);
    } catch (error) {
      // A replica may also cancel a query because of a conflict with the replayed WAL.
      if (isDatabaseUnavailable(error)) this.backOff(error);
      return run(db);
    }
  }

  /** Whether the replica may be read; does not wait for a check. */
  private isFresh(): boolean {
    if (this.countedChanges === this.changes && this.replayedLsn >= this.requiredLsn) return true;
    if (performance.now() >= this.nextCheckAt) this.checking ??= this.checkLsn();
    return false;
  }

  private async checkLsn(): Promise<void> {
    try {
      const { changes } = this;
      if (this.countedChanges !== changes) {
        this.requiredLsn = await readLsn({
          from: db,
          expression: sql`pg_current_wal_insert_lsn()`,
        });
        this.countedChanges = changes;
      }
      this.replayedLsn = await readReplayLsn(this.pool.database);
      this.nextCheckAt = performance.now() + LSN_CHECK_MS;
      this.isUnavailable = false;
    } catch (error) {
      this.backOff(error);
    } finally {
      this.checking = undefined;
    }
  }

  private backOff(error: unknown): void {
    if (!this.isUnavailable) log.warn({ err: error }, "the replica is away: the primary is read");
    this.isUnavailable = true;
    this.replayedLsn = UNKNOWN_LSN;
    this.nextCheckAt = performance.now() + BACKOFF_MS;
  }
}

/** @throws where there is none: a server that follows no other is no replica */
async function readLsn({ from, expression }: { from: Database; expression: SQL }): Promise<Lsn> {
  const rows = await from.execute<{ lsn: string | null }>(
    sql`select pg_wal_lsn_diff(${expression}, '0/0')::text as lsn`,
  );
  const lsn = rows[0]?.lsn ?? null;
  if (lsn === null) throw new Error("DATABASE_REPLICA_URL is no replica.");
  return BigInt(lsn);
}

const readReplayLsn = (from: Database) =>
  readLsn({
    from,
    expression: sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end`,
  });

/** This process's; null where there is none. */
const replica = (): Replica | null =>
  perProcess("replica", () => {
    const { DATABASE_REPLICA_URL } = env();
    const made = DATABASE_REPLICA_URL ? new Replica(DATABASE_REPLICA_URL) : null;
    cacheStore.onExpiry(() => made?.noteChange());
    return { made };
  }).made;

/**
 * Reads the catalogue: from the replica, if there is one that contains every change that has expired
 * cache entries, else from the primary. `run` may be called twice.
 */
export async function fromReplica<T>(run: Run<T>): Promise<T> {
  const following = replica();
  return following ? following.read(run) : run(db);
}
