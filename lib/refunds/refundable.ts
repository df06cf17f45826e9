import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import type { OrderRow } from "@/lib/orders/mutations";

export type Refundable = Awaited<ReturnType<typeof readRefundable>>;

/**
 * What may still be given back of an order: what was paid, without the refunds that have not failed.
 *
 * @param order whose row is locked, where a refund is to follow
 */
export async function readRefundable(tx: Pick<Transaction, "select">, order: OrderRow) {
  // Staff may have changed the order's total since.
  const paid = sql<number>`coalesce(
    (select total_cents from ${checkouts} where order_id = ${order.id}),
    (select total_cents from ${invoices} where order_id = ${order.id} and source = 'checkout'),
    ${order.totalCents}::int)`;
  const isCounted = and(eq(refunds.orderId, order.id), ne(refunds.status, "failed"));
  const [sums] = await tx
    .select({
      paid,
      amount: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int`,
      shipping: sql<number>`coalesce(sum(${refunds.shippingCents}), 0)::int`,
    })
    .from(refunds)
    .where(isCounted);
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
  const { amount = 0, shipping = 0 } = sums ?? {};
  const objects = lines.filter(({ productType }) => productType === "physical");
  return {
    /** There are objects, and none of them has left. */
    isUnsent: objects.length > 0 && objects.every(({ shippedQuantity }) => shippedQuantity === 0),
    lines: lines.map(({ refunded, productType: _, shippedQuantity: __, ...line }) => ({
      ...line,
      /** Neither given back nor about to be. */
      left: Math.max(0, line.quantity - refunded),
    })),
    shippingCents: Math.max(0, order.shippingCents - shipping),
    amountCents: Math.max(0, (sums?.paid ?? order.totalCents) - amount),
  };
}
