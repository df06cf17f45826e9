import path from "node:path";
import type { Sql } from "postgres";
import { listApplied, listPending } from "@/db/applied-migrations";
import { withConnection } from "@/db/connection";
import { FRENCH_COLLATION } from "@/db/french-order";
import { OperatorError } from "@/lib/errors/operator-error";
import { sqlErrorIn } from "@/lib/errors/sql-error";

const FOLDER = path.join(process.cwd(), "db/migrations");

/** The key of the advisory lock that serializes migrations. */
const ADVISORY_LOCK = 7_264_001;

/** Short, since queries queue up behind a migration that waits for a table. */
const LOCK_TIMEOUT_MS = 3_000;

/** Whether a migration gave up waiting for a locked table, for example during a backup. */
export const isLockTimeout = (error: unknown) => sqlErrorIn(error)?.code === "55P03";

/** @throws OperatorError if the database's encoding is not UTF-8, or the French collation is missing */
async function requireFrenchLetters(sql: Sql): Promise<void> {
  const rows = await sql<{ encoding: string; isSorted: boolean }[]>`
    SELECT current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_collation WHERE collname = ${FRENCH_COLLATION}) AS "isSorted"`;
  const [{ encoding, isSorted } = { encoding: "", isSorted: false }] = rows;
  if (encoding !== "UTF8") {
    throw new OperatorError(
      `La base de données de DATABASE_URL est en ${encoding} : il faut UTF8, qui se choisit à sa création, par exemple par : createdb --encoding=UTF8 --template=template0 boutique`,
    );
  }
  if (!isSorted) {
    throw new OperatorError(
      `Le PostgreSQL de DATABASE_URL ne connaît pas l'ordre alphabétique français (« ${FRENCH_COLLATION} ») : il faut un PostgreSQL construit avec ICU, comme celui de Debian.`,
    );
  }
}

/**
 * Applies the migrations that the database lacks, all or none, one process at a time. With nothing to
 * apply it costs one query. The advisory lock belongs to the connection: `url` must not point to a pooler
 * that shares connections between transactions.
 *
 * @returns the number of applied migrations
 * @throws if a table stays locked for some seconds: see `isLockTimeout`
 */
export async function migrateDatabase({ url }: { url: string }): Promise<number> {
  return withConnection({ url }, async (sql) => {
    const query = (text: string) => sql.unsafe(text);
    if ((await listPending(query)).length === 0) return 0;
    await requireFrenchLetters(sql);
    await sql`SELECT pg_advisory_lock(${ADVISORY_LOCK})`;
    const pending = await listPending(query);
    if (pending.length === 0) return 0;
    const newest = (await listApplied(query)).at(-1);
    const [first] = pending;
    if (newest !== undefined && first !== undefined && first < newest) {
      // Drizzle would silently skip this migration: it compares timestamps with the newest applied one only.
      throw new Error(
        `A migration of ${new Date(first).toISOString()} is older than the newest one applied (${new Date(newest).toISOString()}): generate it anew.`,
      );
    }
    await sql.unsafe(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Imported only here: a start with nothing to apply does not wait for drizzle.
    const { drizzle } = await import("drizzle-orm/postgres-js");
    const { migrate } = await import("drizzle-orm/postgres-js/migrator");
    await migrate(drizzle({ client: sql }), { migrationsFolder: FOLDER });
    return pending.length;
  });
}
