import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { orders } from "@/db/schema/orders";
import type { OrderStatus } from "@/lib/order-status";
import { statusAfterChange } from "./rules";
import { readSentLines } from "./shipments";

/**
 * Brings an order's state in line with its lines, its parcels and its refunds: to be called after any of these
 * has changed, in the same transaction, which has locked the order.
 *
 * @returns the state
 */
export async function settleStatus(tx: Transaction, { orderId }: { orderId: number }) {
  const [order] = await tx
    .select({ status: orders.status, isAllRefunded, isUndecided })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order) throw new Error(`Order ${orderId} does not exist.`);
  const lines = await readSentLines(tx, orderId);
  const status = statusAfterChange({ ...order, lines });
  if (status !== order.status) await setStatus(tx, { orderId, status });
  return status;
}

/** Does a refund of pieces of the order wait to be sent, or for the bank? */
const isUndecided = sql<boolean>`exists (
  select from refunds r join refund_lines p on p.refund_id = r.id
  where r.order_id = orders.id and r.status = 'pending')`;

/** Writes an order's state with its day; a day that is no longer true goes. */
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

/** The states that an order has been in, each with the moment at which it got there. */
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
