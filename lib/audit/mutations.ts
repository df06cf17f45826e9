import type { Transaction } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { changesBetween, type Entity, type Snapshot } from "@/lib/audit/rules";

/** Who did it. */
export interface Actor {
  id: number;
}

/**
 * Records what a member of staff did, in the transaction that does it. Both states are the object's
 * JSON in the API, null where it is not there; a save that changed nothing leaves no entry.
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
