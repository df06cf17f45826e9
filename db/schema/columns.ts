import { type AnyPgColumn, integer, timestamp } from "drizzle-orm/pg-core";

/** Surrogate key; the contract's `/api/products/7` are these numbers. */
export const identity = () => integer("id").primaryKey().generatedByDefaultAsIdentity();

/** An instant; the database keeps UTC, screens show Europe/Paris. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const createdAt = () => instant("created_at").notNull().defaultNow();
export const updatedAt = () => instant("updated_at").notNull().defaultNow();

/** The id of a row that this one is a part of, and is deleted with. */
export const partOf = (name: string, id: () => AnyPgColumn) =>
  integer(name).notNull().references(id, { onDelete: "cascade" });

/** Raised by every edit in the back office, so that a save made on an old copy is noticed. */
export const version = () => integer("version").notNull().default(1);
