import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt, identity } from "./columns";

/** What staff changed: who, what, when, before and after, without secrets. */
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
  (t) => [index("audit_entries_entity_idx").on(t.entity, t.entityId, t.id)],
);
