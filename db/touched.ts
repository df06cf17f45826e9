import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** What an update sets besides, so that a save of an older copy is refused (409). */
export const touched = (table: { version: PgColumn }): { updatedAt: SQL; version: SQL } => ({
  updatedAt: sql`now()`,
  version: sql`${table.version} + 1`,
});
