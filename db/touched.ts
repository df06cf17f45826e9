import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Columns of a row whose change others should notice: a save of an older copy is then refused (409). */
export const touched = (table: { version: PgColumn }): { updatedAt: SQL; version: SQL } => ({
  updatedAt: sql`now()`,
  version: sql`${table.version} + 1`,
});
