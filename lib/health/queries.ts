import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import { listPending } from "@/db/applied-migrations";
import { Pool } from "@/db/pool";
import { env } from "@/lib/env";
import type { Readiness } from "@/lib/health/schemas";
import { isDraining } from "@/lib/http/server/draining";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";

/** Timeout in seconds, for a connection and for a statement. */
const TIMEOUT = 2;
/** Milliseconds for which the state is cached, so that many health checks cost one query. */
const CACHE_MS = 1_000;

interface Probe {
  pool: Pool | undefined;
  running: Promise<DatabaseState> | undefined;
  last: { state: DatabaseState; until: number } | undefined;
}
const probe = perProcess<Probe>("readiness", () => ({
  pool: undefined,
  running: undefined,
  last: undefined,
}));

type DatabaseState = Pick<Readiness, "database" | "pendingMigrations" | "overdue">;

const UNREACHABLE: DatabaseState = {
  database: "unreachable",
  pendingMigrations: null,
  overdue: null,
};

/**
 * Whether this process can serve visitors. Never throws. While draining, it returns the last state at once:
 * a slow database would use up DRAIN_DELAY, in which the proxy must notice the draining.
 */
export async function getReadiness(): Promise<Readiness> {
  const state = (isDraining() && probe.last?.state) || (await databaseState());
  const { database, pendingMigrations } = state;
  const isReady = database === "reachable" && pendingMigrations === 0;
  return { status: isDraining() ? "draining" : isReady ? "ready" : "unavailable", ...state };
}

/** The state of the database, at most a second old. */
export function databaseState(): Promise<DatabaseState> {
  if (probe.last && performance.now() < probe.last.until) return Promise.resolve(probe.last.state);
  probe.running ??= probeDatabase()
    .then((state) => {
      probe.last = { state, until: performance.now() + CACHE_MS };
      return state;
    })
    .finally(() => {
      probe.running = undefined;
    });
  return probe.running;
}

async function probeDatabase(): Promise<DatabaseState> {
  const before = probe.last?.state;
  try {
    const { database } = probePool();
    const pending = await listPending((text) => database.execute(text));
    const overdue = pending.length === 0 ? await readOverdue(database) : null;
    if (before?.database === "unreachable") log.info({}, "the database can be reached again");
    if (pending.length > 0 && pending.length !== before?.pendingMigrations)
      log.warn(
        { pending: pending.length },
        "migrations are pending: npm run db:migrate, or node commands/db-migrate.cjs",
      );
    return { database: "reachable", pendingMigrations: pending.length, overdue };
  } catch (error) {
    // Warn only once per outage.
    const level = before?.database === "unreachable" ? "debug" : "warn";
    log[level]({ err: error }, "the database cannot be reached");
    return UNREACHABLE;
  }
}

/**
 * A connection outside the shop's pool: if all connections of the pool are busy, the shop is only slow. It
 * must not be reported as unready, since visitors would be sent to another instance that is as slow.
 */
function probePool(): Pool {
  const { DATABASE_URL, DATABASE_PREPARE } = env();
  probe.pool ??= new Pool({
    url: DATABASE_URL ?? "",
    max: 1,
    connectTimeout: TIMEOUT,
    statementTimeout: TIMEOUT,
    idleTimeout: 30,
    applicationName: "mini-ecommerce-probe",
    isPrepared: DATABASE_PREPARE,
  });
  return probe.pool;
}

/**
 * Seconds after which an unpaid checkout must be closed: a day, and up to an hour until its next check
 * (lib/checkout/rules.ts).
 */
const OLDEST_CHECKOUT = 25 * 3600;

/**
 * The delay, in seconds, of the oldest overdue work of each kind. A failed attempt postpones the next one, so
 * after a first failure the age of the work counts. Pending rows are few.
 */
async function readOverdue(database: Database): Promise<Readiness["overdue"]> {
  type Row = Record<"mail" | "checkout" | "refund", number>;
  const rows = await database.execute<Row>(sql`
    select coalesce(extract(epoch from now() - (
        select min(created_at) from mail_outbox
        where status = 'pending' and (attempts > 0 or next_attempt_at <= now()))), 0)::int as mail,
      coalesce(extract(epoch from now() - least(
        (select min(next_check_at) from checkouts
          where status = 'pending' and next_check_at <= now()),
        (select min(updated_at) + ${OLDEST_CHECKOUT} * interval '1 second' from checkouts
          where status = 'pending'
            and updated_at < now() - ${OLDEST_CHECKOUT} * interval '1 second'))), 0)::int as checkout,
      coalesce(extract(epoch from now() - least(
        (select min(created_at) from payment_closures where settled_at is null),
        (select min(created_at) from refunds
          where status = 'pending' and provider_id is null and attempts > 0),
        (select min(next_attempt_at) from refunds
          where status = 'pending' and next_attempt_at <= now()))), 0)::int as refund`);
  const { mail = 0, checkout = 0, refund = 0 } = rows[0] ?? {};
  return { mailSeconds: mail, checkoutSeconds: checkout, refundSeconds: refund };
}

/** Closes the connection, so that the process can exit. */
export async function closeProbe(): Promise<void> {
  const { pool } = probe;
  probe.pool = undefined;
  await pool?.close();
}
