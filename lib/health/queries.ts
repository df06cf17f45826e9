import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool, type PoolClient } from "pg";
import { listPending } from "@/db/applied-migrations";
import { env } from "@/lib/env";
import { isDraining } from "@/lib/health/draining";
import type { Readiness } from "@/lib/health/schemas";
import { log } from "@/lib/http/log";

/** Milliseconds that the database has to answer. */
const PATIENCE = 2_000;
/** Milliseconds that an answer is good for: however many ask, the database is asked once. */
const FRESH = 1_000;

// Next.js may load this module once per bundle; the process has one of each.
interface Probe {
  pool: Pool | undefined;
  running: Promise<DatabaseState> | undefined;
  last: { state: DatabaseState; until: number } | undefined;
}
const KEY = Symbol.for("mini-ecommerce.readiness");
const shared = globalThis as { [KEY]?: Probe };
shared[KEY] ??= { pool: undefined, running: undefined, last: undefined };
const probe: Probe = shared[KEY];

type DatabaseState = Pick<Readiness, "database" | "pendingMigrations" | "overdue">;

const AWAY: DatabaseState = { database: "unreachable", pendingMigrations: null, overdue: null };

/**
 * May visitors be sent to this process? Never throws. One that is leaving says so at once, with
 * what it last knew: its proxy has DRAIN_DELAY to notice, and a slow database would use it up.
 */
export async function getReadiness(): Promise<Readiness> {
  const state = (isDraining() && probe.last?.state) || (await databaseState());
  const { database, pendingMigrations } = state;
  const isReady = database === "reachable" && pendingMigrations === 0;
  return { status: isDraining() ? "draining" : isReady ? "ready" : "unavailable", ...state };
}

/** As it was at most a second ago. */
export function databaseState(): Promise<DatabaseState> {
  if (probe.last && performance.now() < probe.last.until) return Promise.resolve(probe.last.state);
  probe.running ??= look()
    .then((state) => {
      probe.last = { state, until: performance.now() + FRESH };
      return state;
    })
    .finally(() => {
      probe.running = undefined;
    });
  return probe.running;
}

async function look(): Promise<DatabaseState> {
  try {
    const client = await open().connect();
    let failure: Error | undefined;
    try {
      const pending = await listPending(client);
      const overdue = pending.length === 0 ? await readOverdue(client) : null;
      return { database: "reachable", pendingMigrations: pending.length, overdue };
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  } catch (error) {
    log.debug({ err: error }, "the database cannot be reached");
    return AWAY;
  }
}

/**
 * One connection beside those of the shop: where they are all busy the shop is slow, which is no
 * reason to send its visitors to the next instance, which is as slow.
 */
function open(): Pool {
  if (probe.pool) return probe.pool;
  probe.pool = new Pool({
    connectionString: env().DATABASE_URL,
    max: 1,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    idleTimeoutMillis: 30_000,
    application_name: "mini-ecommerce-probe",
  });
  probe.pool.on("error", () => undefined);
  probe.pool.on("connect", (client) => client.on("error", () => undefined));
  return probe.pool;
}

/** Each is the first entry of an index. */
async function readOverdue(client: PoolClient): Promise<Readiness["overdue"]> {
  const { rows } = await drizzle({ client }).execute<Record<"mail" | "checkout", number>>(sql`
    select coalesce(extract(epoch from now() - (
        select next_attempt_at from mail_outbox
        where status = 'pending' and next_attempt_at <= now()
        order by next_attempt_at limit 1)), 0)::int as mail,
      coalesce(extract(epoch from now() - (
        select next_check_at from checkouts
        where status = 'pending' and next_check_at <= now()
        order by next_check_at limit 1)), 0)::int as checkout`);
  return { mailSeconds: rows[0]?.mail ?? 0, checkoutSeconds: rows[0]?.checkout ?? 0 };
}

/** Ends the connection, so that the process can end. */
export async function closeProbe(): Promise<void> {
  const { pool } = probe;
  probe.pool = undefined;
  await pool?.end();
}
