import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { paidCents } from "@/db/as-paid";
import { orderLines, orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import type { OrderRow } from "@/lib/orders/mutations";

export type Refundable = Awaited<ReturnType<typeof readRefundable>>;

/**
 * What may still be refunded of an order: the paid amount less all refunds that have not failed.
 *
 * @param order its row must be locked if a refund follows
 */
export async function readRefundable(tx: Pick<Transaction, "select">, order: OrderRow) {
  const isCounted = and(eq(refunds.orderId, orders.id), ne(refunds.status, "failed"));
  const [sums] = await tx
    .select({
      paid: paidCents,
      amount: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int`,
      shipping: sql<number>`coalesce(sum(${refunds.shippingCents}), 0)::int`,
    })
    .from(orders)
    .leftJoin(refunds, isCounted)
    .where(eq(orders.id, order.id))
    .groupBy(orders.id);
  const lines = await tx
    .select({
      id: orderLines.id,
      name: orderLines.name,
      unitPriceCents: orderLines.unitPriceCents,
      quantity: orderLines.quantity,
      productType: orderLines.productType,
      shippedQuantity: orderLines.shippedQuantity,
      refunded: sql<number>`coalesce(sum(${refundLines.quantity}) filter (where ${refunds.id} is not null), 0)::int`,
    })
    .from(orderLines)
    .leftJoin(refundLines, eq(refundLines.orderLineId, orderLines.id))
    .leftJoin(refunds, and(eq(refunds.id, refundLines.refundId), ne(refunds.status, "failed")))
    .where(eq(orderLines.orderId, order.id))
    .groupBy(orderLines.id)
    .orderBy(orderLines.id);
  const { paid = 0, amount = 0, shipping = 0 } = sums ?? {};
  const objects = lines.filter(({ productType }) => productType === "physical");
  return {
    /** The order has objects, and none of them has been sent. */
    isUnsent: objects.length > 0 && objects.every(({ shippedQuantity }) => shippedQuantity === 0),
    lines: lines.map(({ refunded, productType: _, shippedQuantity: __, ...line }) => ({
      ...line,
      /** Pieces neither refunded nor in a pending refund. */
      left: Math.max(0, line.quantity - refunded),
    })),
    shippingCents: Math.max(0, order.shippingCents - shipping),
    amountCents: Math.max(0, paid - amount),
  };
}
