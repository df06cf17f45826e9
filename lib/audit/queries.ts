import { and, desc, eq, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import { refunds } from "@/db/schema/refunds";
import type { Entity } from "@/lib/audit/rules";
import { countedPage, type PageRequest } from "@/lib/http/api/paging";

export type HistoryRow = Awaited<ReturnType<typeof listHistory>>["items"][number];

/** The audit entries of an object, even a deleted one, newest first; an order includes its refunds'. */
export function listHistory({
  entity,
  id,
  ...request
}: { entity: Entity; id: number } & PageRequest) {
  const isIts = and(eq(auditEntries.entity, entity), eq(auditEntries.entityId, id));
  const refundIds = db.select({ id: refunds.id }).from(refunds).where(eq(refunds.orderId, id));
  // Use an array: with `in` inside the `or`, PostgreSQL would not use the index of the audit entries.
  const isRefund = and(
    eq(auditEntries.entity, "Refund"),
    sql`${auditEntries.entityId} = any(array(${refundIds}))`,
  );
  const isAbout = entity === "Order" ? or(isIts, isRefund) : isIts;
  return countedPage({
    request,
    count: () => db.$count(auditEntries, isAbout),
    read: ({ limit, offset }) =>
      db
        .select({
          id: auditEntries.id,
          entity: auditEntries.entity,
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
