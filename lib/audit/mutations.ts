import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { auditEntries } from "@/db/schema/audit";
import { changesBetween, type Entity, type Snapshot } from "@/lib/audit/rules";

/** The admin who acts. */
export interface Actor {
  id: number;
}

/** An action of an admin on an object. */
export interface Act {
  actor: Actor;
  id: number;
}

export interface Creation<Input> {
  actor: Actor;
  input: Input;
}

export interface Update<Input> extends Act {
  input: Input;
}

/**
 * Records a change by admins, in the transaction of the change. `before` and `after` are the object's JSON in
 * the API, null if it does not exist. A save that changes nothing is not recorded.
 *
 * Both must contain no secrets (passwords, tokens), and must have the person they are about in `user`, so that
 * the erasure of an account (lib/account/erasure.ts) finds them.
 */
export const recordChange = (
  tx: Transaction,
  { actor, entity, ...change }: { actor: Actor; entity: Entity } & Change,
): Promise<void> => recordChanges(tx, { actor, entity, changes: [change] });

interface Change {
  id: number;
  before: Snapshot | null;
  after: Snapshot | null;
}

function actionOf({ before, after }: Omit<Change, "id">): "create" | "update" | "delete" {
  if (before === null) return "create";
  return after === null ? "delete" : "update";
}

/** Records changes of many objects of one kind, in one statement. */
export async function recordChanges(
  tx: Transaction,
  { actor, entity, changes }: { actor: Actor; entity: Entity; changes: readonly Change[] },
): Promise<void> {
  const entries = changes
    .filter(
      ({ before, after }) => !before || !after || changesBetween({ before, after }).length > 0,
    )
    .map(({ id, before, after }) => ({
      actorId: actor.id,
      action: actionOf({ before, after }),
      entity,
      entityId: id,
      before,
      after,
    }));
  if (entries.length > 0) await tx.insert(auditEntries).values(entries);
}

/**
 * Records the deletion of many objects at once.
 *
 * @param objects a query with the objects' `id`, and their JSON as `before`
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
