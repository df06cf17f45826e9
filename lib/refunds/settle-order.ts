import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { nextVersion } from "@/db/next-version";
import { refundedPieces } from "@/db/refunded-pieces";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { recordChange } from "@/lib/audit/mutations";
import { isoDateTime } from "@/lib/dates";
import type { OrderRow } from "@/lib/orders/mutations";
import { settleStatus } from "@/lib/orders/status-changes";
import { objectsNamed } from "@/lib/withdrawals/rules";
import type { RefundRow } from "./settle";

/**
 * Updates an order from its refunds: its refunded amount, its state and its withdrawal. Call it whenever a
 * refund has ended, in the same transaction, which must hold the order's lock. Outcome and order of the
 * refunds do not matter: the result depends on the present state of all refunds, not on the last one. Files
 * need no update: the right to download is checked at each download.
 */
export async function settleOrder(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow },
): Promise<void> {
  await tx
    .update(orders)
    .set({
      refundedCents: sql`(select coalesce(sum(r.amount_cents), 0) from refunds r
        where r.order_id = ${order.id} and r.status = 'succeeded')`,
      ...nextVersion(orders),
    })
    .where(eq(orders.id, order.id));
  await settleWithdrawal(tx, { refund, order });
  const status = await settleStatus(tx, { orderId: order.id });
  if (refund.status !== "succeeded" || refund.createdBy === null) return;
  await recordChange(tx, {
    actor: { id: refund.createdBy },
    entity: "Order",
    id: order.id,
    before: { status: order.status },
    after: { status },
  });
}

/** Settles the order's open withdrawal once refunds answer it: docs/decisions/089. */
async function settleWithdrawal(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow },
): Promise<void> {
  const isOpen = and(eq(withdrawals.orderId, order.id), eq(withdrawals.state, "received"));
  const [found] = await tx
    .select({ withdrawal: withdrawals, isAllRefunded })
    .from(withdrawals)
    .innerJoin(orders, eq(orders.id, withdrawals.orderId))
    .where(isOpen);
  if (!found || !(found.isAllRefunded || (await isAnswered(tx, found.withdrawal)))) return;
  const [settled] = await tx
    .update(withdrawals)
    .set({ state: "refunded", settledAt: sql`now()` })
    .where(isOpen)
    .returning({ id: withdrawals.id, settledAt: withdrawals.settledAt });
  if (!settled?.settledAt || refund.createdBy === null) return;
  await recordChange(tx, {
    actor: { id: refund.createdBy },
    entity: "Withdrawal",
    id: settled.id,
    before: { state: "received", settledAt: null },
    after: { state: "refunded", settledAt: isoDateTime(settled.settledAt) },
  });
}

/** Is a part of each object named by the buyer refunded or, where none is named, every object in full? */
async function isAnswered(
  tx: Transaction,
  { orderId, items, createdAt }: typeof withdrawals.$inferSelect,
): Promise<boolean> {
  const isDone = sql`r.status = 'succeeded'`;
  const objects = await tx
    .select({
      name: orderLines.name,
      quantity: orderLines.quantity,
      refunded: refundedPieces(isDone),
      refundedSince: refundedPieces(
        sql`${isDone} and r.created_at >= ${createdAt.toISOString()}::timestamptz`,
      ),
    })
    .from(orderLines)
    .where(and(eq(orderLines.orderId, orderId ?? 0), eq(orderLines.productType, "physical")));
  const named = objectsNamed(items, objects);
  return named.length > 0
    ? named.every(({ refundedSince }) => refundedSince > 0)
    : objects.length > 0 && objects.every(({ quantity, refunded }) => refunded >= quantity);
}
