import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { changesBetween, type Entity, type Snapshot } from "@/lib/audit/rules";

/** The member of staff who acts. */
export interface Actor {
  id: number;
}

/**
 * Records a change by staff, in the transaction that makes it. Both states are the object's JSON in
 * the API, null where it does not exist; a save that changed nothing is not recorded.
 *
 * They must hold no secret (passwords, tokens), and must name the person that they are about by
 * `user`, so that the erasure of an account (lib/account/erasure.ts) finds them.
 */
export async function recordChange(
  tx: Transaction,
  {
    actor,
    entity,
    id,
    before,
    after,
  }: { actor: Actor; entity: Entity; id: number; before: Snapshot | null; after: Snapshot | null },
): Promise<void> {
  if (before && after && changesBetween({ before, after }).length === 0) return;
  await tx.insert(auditEntries).values({
    actorId: actor.id,
    action: before === null ? "create" : after === null ? "delete" : "update",
    entity,
    entityId: id,
    before,
    after,
  });
}

/**
 * Records the deletion of many objects at once.
 *
 * @param objects a query of their `id` and of what they were, as `before`
 */
export async function recordDeletions(
  tx: Pick<Transaction, "execute">,
  { actor, entity, objects }: { actor: Actor; entity: Entity; objects: SQL },
): Promise<void> {
  await tx.execute(sql`
    insert into ${auditEntries} (actor_id, action, entity, entity_id, before)
    select ${actor.id}::int, 'delete', ${entity}::text, id, before
    from (${objects}) objects order by id`);
}
