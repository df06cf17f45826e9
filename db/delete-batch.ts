import { inArray, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "@/db";

/** Rows per statement: deleting a large backlog at once would run into the timeout. */
const BATCH_SIZE = 1_000;

/** Deletes a batch of the rows that match a condition; skips locked rows. */
export async function deleteBatch(table: PgTable & { id: PgColumn }, where: SQL): Promise<void> {
  const rows = db
    .select({ id: table.id })
    .from(table)
    .where(where)
    .limit(BATCH_SIZE)
    .for("update", { skipLocked: true });
  await db.delete(table).where(inArray(table.id, rows));
}
