import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import type { Database } from "@/db";
import { createDatabase } from "./database-broker";

/** A copy of the demonstration shop that no other test touches. */
export async function withOwnDatabase(
  run: (own: { database: Database; url: string }) => Promise<void>,
  { connections = 2 }: { connections?: number } = {},
): Promise<void> {
  const url = await createDatabase();
  const pool = new Pool({ connectionString: url, max: connections });
  try {
    await run({ database: drizzle({ client: pool }), url });
  } finally {
    await pool.end();
  }
}
