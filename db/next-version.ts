import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Columns that every update also sets, so that saving a stale copy is refused (409). */
export const nextVersion = (table: { version: PgColumn }): { updatedAt: SQL; version: SQL } => ({
  updatedAt: sql`now()`,
  version: sql`${table.version} + 1`,
});
