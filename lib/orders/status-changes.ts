import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { orders } from "@/db/schema/orders";
import type { OrderStatus } from "@/lib/shop/order-status";
import { statusAfterChange } from "./rules";
import { readLineProgress } from "./shipments";

/**
 * Updates an order's state from its lines, parcels and refunds. Call it after any of them has changed, in the
 * same transaction, which must hold the order's lock.
 *
 * @returns the state
 */
export async function settleStatus(tx: Transaction, { orderId }: { orderId: number }) {
  const [order] = await tx
    .select({ status: orders.status, isAllRefunded, isUndecided })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order) throw new Error(`Order ${orderId} does not exist.`);
  const lines = await readLineProgress(tx, orderId);
  const status = statusAfterChange({ ...order, lines });
  if (status !== order.status) await setStatus(tx, { orderId, status });
  return status;
}

/** Is a refund of pieces of the order waiting to be sent, or for the bank's answer? */
const isUndecided = sql<boolean>`exists (
  select from refunds r join refund_lines p on p.refund_id = r.id
  where r.order_id = orders.id and r.status = 'pending')`;

/** Writes an order's state and its date, and clears the dates of states that no longer hold. */
export async function setStatus(
  tx: Pick<Transaction, "update">,
  { orderId, status }: { orderId: number; status: OrderStatus },
): Promise<void> {
  const now = sql`now()`;
  const isPrepared = status === "preparing" || status === "shipped";
  await tx
    .update(orders)
    .set({
      status,
      ...(isPrepared && { preparedAt: sql`coalesce(${orders.preparedAt}, now())` }),
      deliveredAt: status === "delivered" ? now : null,
      cancelledAt: status === "cancelled" ? now : null,
      updatedAt: now,
    })
    .where(eq(orders.id, orderId));
}

type OrderDates = Pick<
  typeof orders.$inferSelect,
  "status" | "orderedAt" | "preparedAt" | "deliveredAt" | "cancelledAt"
>;

/** The states that an order has been in, with their dates. */
export function historyOf({
  status,
  orderedAt,
  preparedAt,
  deliveredAt,
  cancelledAt,
  shipments,
}: OrderDates & { shipments: readonly { shippedAt: Date }[] }) {
  const isShipped = status === "shipped" || status === "delivered";
  const last = isShipped ? shipments.at(-1) : undefined;
  const moments: [OrderStatus, Date | null | undefined][] = [
    ["paid", orderedAt],
    ["preparing", preparedAt],
    ["shipped", last?.shippedAt],
    ["delivered", deliveredAt],
    ["cancelled", cancelledAt],
  ];
  return moments.flatMap(([reached, date]) => (date ? [{ status: reached, date }] : []));
}
