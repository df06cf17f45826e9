import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { type Actor, recordChange, recordChanges } from "@/lib/audit/mutations";
import { isoDateTime } from "@/lib/dates";
import { eurosFromCents } from "@/lib/money";
import { settleStatus } from "@/lib/orders/life";
import type { OrderRow } from "@/lib/orders/mutations";
import type { RefundRow } from "./settlement";

/** The end of a refund's settlement: the order's state, and what its history and its withdrawals' say. */
export async function settleOrder(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow },
): Promise<void> {
  // Refunded pieces are not sent any more, so that the order may be shipped as a whole; after a refund that
  // has failed they are.
  await settleStatus(tx, { orderId: order.id });
  if (refund.status !== "succeeded" || refund.createdBy === null) return;
  const actor = { id: refund.createdBy };
  await recordOrder(tx, { actor, order });
  await recordWithdrawals(tx, { actor, order });
}

const snapshotOf = ({ status, refundedCents }: Pick<OrderRow, "status" | "refundedCents">) => ({
  status,
  refundedTotal: eurosFromCents(refundedCents),
});

async function recordOrder(
  tx: Transaction,
  { actor, order }: { actor: Actor; order: OrderRow },
): Promise<void> {
  const [after] = await tx
    .select({ status: orders.status, refundedCents: orders.refundedCents })
    .from(orders)
    .where(eq(orders.id, order.id));
  if (!after) return;
  const [entity, id] = ["Order", order.id] as const;
  await recordChange(tx, {
    actor,
    entity,
    id,
    before: snapshotOf(order),
    after: snapshotOf(after),
  });
}

/** The withdrawals that this transaction has settled. */
async function recordWithdrawals(
  tx: Transaction,
  { actor, order }: { actor: Actor; order: OrderRow },
): Promise<void> {
  const settled = await tx
    .select({ id: withdrawals.id, state: withdrawals.state, settledAt: withdrawals.settledAt })
    .from(withdrawals)
    .where(and(eq(withdrawals.orderId, order.id), eq(withdrawals.settledAt, sql`now()`)));
  const changes = settled.map(({ id, state, settledAt }) => ({
    id,
    before: { state: "received", settledAt: null },
    after: { state, settledAt: settledAt && isoDateTime(settledAt) },
  }));
  await recordChanges(tx, { actor, entity: "Withdrawal", changes });
}
