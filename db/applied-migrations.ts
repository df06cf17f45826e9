import { sqlErrorIn } from "@/lib/sql-error";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

/** By the driver, or by drizzle. */
type Query = (text: string) => PromiseLike<readonly Record<string, unknown>[]>;

/** The timestamps of the applied migrations, the oldest first. */
export async function listApplied(query: Query): Promise<number[]> {
  try {
    const rows = await query(
      'SELECT created_at AS "when" FROM drizzle.__drizzle_migrations ORDER BY created_at',
    );
    return rows.map(({ when }) => Number(when));
  } catch (error) {
    const code = sqlErrorIn(error)?.code;
    // Neither the schema nor the table is there before the first migration.
    if (code === "42P01" || code === "3F000") return [];
    throw error;
  }
}

/** The migrations of this version that the database lacks; one from a later version has more. */
export async function listPending(query: Query): Promise<number[]> {
  const applied = await listApplied(query);
  // Drizzle identifies a migration by its timestamp.
  return journal.entries.map(({ when }) => when).filter((when) => !applied.includes(when));
}
