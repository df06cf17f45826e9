import { sqlErrorIn } from "@/lib/errors/sql-error";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

/** Runs a statement, by the driver or by drizzle. */
type Query = (text: string) => PromiseLike<readonly Record<string, unknown>[]>;

/** The timestamps of the applied migrations, oldest first. */
export async function listApplied(query: Query): Promise<number[]> {
  try {
    const rows = await query(
      'SELECT created_at AS "when" FROM drizzle.__drizzle_migrations ORDER BY created_at',
    );
    return rows.map(({ when }) => Number(when));
  } catch (error) {
    const code = sqlErrorIn(error)?.code;
    // Before the first migration neither the schema nor the table exists.
    if (code === "42P01" || code === "3F000") return [];
    throw error;
  }
}

/** The migrations of this release that the database lacks. A newer release may have applied others. */
export async function listPending(query: Query): Promise<number[]> {
  const applied = await listApplied(query);
  // Drizzle identifies a migration by its timestamp.
  return journal.entries.map(({ when }) => when).filter((when) => !applied.includes(when));
}
