import { and, desc, eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import type { Entity } from "@/lib/audit/rules";
import { changedMeanwhile } from "@/lib/backoffice/texts";
import { fail } from "@/lib/errors/failure";

/**
 * Optimistic locking: refuses a save of an older version than the stored one; accepts a save without a
 * version. Call it while the row is locked.
 *
 * @param current the stored object's JSON, which the 409 response contains for comparison
 * @throws 409
 */
export async function requireVersion(
  tx: Transaction,
  {
    entity,
    sent,
    current,
  }: {
    entity: Entity;
    sent: number | null | undefined;
    current: Readonly<Record<string, unknown>> & { id: number; version: number };
  },
): Promise<void> {
  if (sent === undefined || sent === null || sent === current.version) return;
  const [last] = await tx
    .select({
      after: auditEntries.after,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .where(and(eq(auditEntries.entity, entity), eq(auditEntries.entityId, current.id)))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  // Changes by customers are not audited: the message then names nobody.
  const isTheirs = last?.after?.version === current.version && last.firstName !== null;
  throw fail.conflict(changedMeanwhile(isTheirs ? `${last.firstName} ${last.lastName}` : null), {
    current,
  });
}
