import { sql } from "drizzle-orm";
import type { Database } from "@/db";

/** Locks a table exclusively while `run` runs. */
export function withTableLock<T>(db: Database, table: string, run: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
    return run();
  });
}

/** How many queries wait for a lock in this database. */
export async function countLockWaits(db: Database): Promise<number> {
  const rows = await db.execute(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
