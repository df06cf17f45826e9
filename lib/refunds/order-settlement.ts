import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { refundedPieces } from "@/db/refunded-pieces";
import { orderLines } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { recordChange } from "@/lib/audit/mutations";
import { isoDateTime } from "@/lib/dates";
import { settleStatus } from "@/lib/orders/life";
import type { OrderRow } from "@/lib/orders/mutations";
import { objectsNamed } from "@/lib/withdrawals/rules";
import type { RefundRow } from "./settlement";

/** What a settled refund means for the order's state, with an entry in its history. */
export async function settleOrder(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow },
): Promise<void> {
  // Refunded pieces are not sent any more, so that the order may be shipped as a whole; after a refund that
  // has failed they are.
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

/** Settles the order's withdrawal if it waits and is answered: docs/decisions/089. */
export async function settleWithdrawal(
  tx: Transaction,
  { refund, order, isAll }: { refund: RefundRow; order: OrderRow; isAll: boolean },
): Promise<void> {
  const isOpen = and(eq(withdrawals.orderId, order.id), eq(withdrawals.state, "received"));
  const [withdrawal] = await tx.select().from(withdrawals).where(isOpen);
  if (!withdrawal || !(isAll || (await isAnswered(tx, withdrawal)))) return;
  const [settled] = await tx
    .update(withdrawals)
    .set({ state: "refunded", settledAt: sql`now()` })
    .where(isOpen)
    .returning({ settledAt: withdrawals.settledAt });
  if (!settled?.settledAt || refund.createdBy === null) return;
  await recordChange(tx, {
    actor: { id: refund.createdBy },
    entity: "Withdrawal",
    id: withdrawal.id,
    before: { state: "received", settledAt: null },
    after: { state: "refunded", settledAt: isoDateTime(settled.settledAt) },
  });
}

/** Is some of each object refunded that the buyer has named, or else all of every object? */
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
    : objects.every(({ quantity, refunded }) => refunded >= quantity);
}
