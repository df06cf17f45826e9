import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt, identity } from "./columns";

/** The changes made by admins: who, what, when, the row before and after, without secrets. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: identity(),
    actorId: integer("actor_id").references(() => users.id, { onDelete: "set null" }),
    action: text("action", { enum: ["create", "update", "delete"] }).notNull(),
    /** The resource's name in the API, `Product`, and its id. */
    entity: text("entity").notNull(),
    entityId: integer("entity_id").notNull(),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (t) => [
    index("audit_entries_entity_idx").on(t.entity, t.entityId, t.id),
    index("audit_entries_actor_idx").on(t.actorId),
    // Finds the entries about a person when an account is erased. Migration 0011 defines the functions.
    index("audit_entries_person_idx").using(
      "gin",
      sql`audit_users(${t.before}, ${t.after})`,
      sql`audit_addresses(${t.before}, ${t.after}) gin_trgm_ops`,
    ),
  ],
);
