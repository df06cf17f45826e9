import { sql } from "drizzle-orm";
import type { Database } from "@/db";

/** Keeps everybody from a table until `run` has ended. */
export function locking<T>(db: Database, table: string, run: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
    return run();
  });
}
