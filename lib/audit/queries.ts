import { and, desc, eq } from "drizzle-orm";
import { db } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import type { Entity } from "@/lib/audit/rules";
import { countedPage, type Page, type PageRequest } from "@/lib/http/api/paging";

export type HistoryRow = Pick<
  typeof auditEntries.$inferSelect,
  "id" | "action" | "before" | "after" | "createdAt"
> & { actor: { id: number; firstName: string; lastName: string } | null };

/** The audit entries of one object, newest first; a deleted object keeps them. */
export function listHistory({
  entity,
  id,
  ...request
}: { entity: Entity; id: number } & PageRequest): Promise<Page<HistoryRow>> {
  const isAbout = and(eq(auditEntries.entity, entity), eq(auditEntries.entityId, id));
  return countedPage({
    request,
    count: () => db.$count(auditEntries, isAbout),
    read: ({ limit, offset }) =>
      db
        .select({
          id: auditEntries.id,
          action: auditEntries.action,
          before: auditEntries.before,
          after: auditEntries.after,
          createdAt: auditEntries.createdAt,
          actor: { id: users.id, firstName: users.firstName, lastName: users.lastName },
        })
        .from(auditEntries)
        .leftJoin(users, eq(users.id, auditEntries.actorId))
        .where(isAbout)
        .orderBy(desc(auditEntries.id))
        .limit(limit)
        .offset(offset),
  });
}
