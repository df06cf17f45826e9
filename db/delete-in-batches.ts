import { inArray, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "@/db";

/** Rows per statement: deleting a large backlog at once would run into the timeout. */
const BATCH_SIZE = 1_000;

/** Deletes the rows that match a condition, in batches; skips locked rows. */
export async function deleteInBatches(
  table: PgTable & { id: PgColumn },
  where: SQL | undefined,
): Promise<void> {
  const rows = db
    .select({ id: table.id })
    .from(table)
    .where(where)
    .limit(BATCH_SIZE)
    .for("update", { skipLocked: true });
  for (;;) {
    const { count } = await db.delete(table).where(inArray(table.id, rows));
    if (count < BATCH_SIZE) return;
  }
}
