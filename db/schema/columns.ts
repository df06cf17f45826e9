import { type AnyPgColumn, integer, timestamp } from "drizzle-orm/pg-core";

/** Surrogate key: the 7 in `/api/products/7`. */
export const identity = () => integer("id").primaryKey().generatedByDefaultAsIdentity();

/** The database keeps UTC, screens show Europe/Paris. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const createdAt = () => instant("created_at").notNull().defaultNow();
export const updatedAt = () => instant("updated_at").notNull().defaultNow();

/** The id of the owning row: deleting it deletes this row. */
export const partOf = (name: string, id: () => AnyPgColumn) =>
  integer(name).notNull().references(id, { onDelete: "cascade" });

/** Incremented by every edit in the back office, so that saving a stale copy is refused. */
export const version = () => integer("version").notNull().default(1);
