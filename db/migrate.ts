import path from "node:path";
import pg from "pg";
import { listApplied, listPending } from "@/db/applied-migrations";
import { sqlErrorIn } from "@/db/sql-error";

const FOLDER = path.join(process.cwd(), "db/migrations");

/** Any number that no other lock of the shop uses; PostgreSQL knows advisory locks by number. */
const LOCK = 7_264_001;

/** Milliseconds. Whoever wants a table that a migration waits for waits behind it. */
const LOCK_TIMEOUT = 3_000;

/** Did a migration give way to a long query, such as a backup, that has a table of its? */
export const isTableTaken = (error: unknown) => sqlErrorIn(error)?.code === "55P03";

async function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Applies the migrations that the database lacks, all or none, one process at a time. Where there
 * is nothing to do it costs one query. The lock belongs to the connection: `url` must not lead
 * through a pooler that shares connections between transactions.
 *
 * @returns how many were applied
 * @throws where a table is not to be had within some seconds: `isTableTaken`
 */
export async function migrateDatabase({ url }: { url: string }): Promise<number> {
  return connected(url, async (client) => {
    if ((await listPending(client)).length === 0) return 0;
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const pending = await listPending(client);
    if (pending.length === 0) return 0;
    const newest = (await listApplied(client)).at(-1);
    const [first] = pending;
    if (newest !== undefined && first !== undefined && first < newest) {
      // Drizzle would leave it out without a word: it looks at the newest one applied only.
      throw new Error(
        `A migration of ${new Date(first).toISOString()} is older than the newest one applied (${new Date(newest).toISOString()}): generate it anew.`,
      );
    }
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT}`);
    // Loaded here: a start that finds nothing to do need not wait for drizzle.
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const { migrate } = await import("drizzle-orm/node-postgres/migrator");
    await migrate(drizzle({ client }), { migrationsFolder: FOLDER });
    return pending.length;
  });
}
