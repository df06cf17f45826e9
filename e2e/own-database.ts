import { drizzle } from "drizzle-orm/postgres-js";
import type { Database } from "@/db";
import { withConnection } from "@/db/connection";
import { createDatabase } from "./database-broker";

/** A copy of the demonstration shop that no other test touches. */
export async function withOwnDatabase(
  run: (own: { database: Database; url: string }) => Promise<void>,
  { connections = 2 }: { connections?: number } = {},
): Promise<void> {
  const url = await createDatabase();
  await withConnection({ url, max: connections }, (sql) =>
    run({ database: drizzle({ client: sql }), url }),
  );
}
