import { and, eq, gt, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { refundedPieces } from "@/db/refunded-pieces";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { isoDateTime } from "@/lib/dates";
import { fail } from "@/lib/errors/failure";
import { readShipments } from "@/lib/orders/shipments";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { isWithinPeriod } from "./rules";
import type { WithdrawalState } from "./schemas";

/** Lines that can be sent back: objects that are not fully refunded. */
export const isReturnable = and(
  eq(orderLines.productType, "physical"),
  gt(orderLines.quantity, refundedPieces()),
);

/** Is there money left that could go back to the buyer? */
export const isKept = sql<boolean>`(orders.status <> 'cancelled' and not ${isAllRefunded})`;

/**
 * The order's withdrawal, if any, and whether a withdrawal is possible.
 *
 * @param userId the buyer; undefined for an administrator, who sees every order
 * @throws 404 for an unknown order, or another customer's
 */
export async function getWithdrawalState({
  orderId,
  userId,
}: {
  orderId: number;
  userId: number | undefined;
}): Promise<WithdrawalState> {
  const objects = db
    .select({ one: sql`1` })
    .from(orderLines)
    .where(and(eq(orderLines.orderId, orders.id), isReturnable));
  const [found] = await db
    .select({
      orderedAt: orders.orderedAt,
      isReturnable: sql<boolean>`(${isKept} and exists ${objects})`,
      date: withdrawals.createdAt,
      items: withdrawals.items,
    })
    .from(orders)
    .leftJoin(withdrawals, eq(withdrawals.orderId, orders.id))
    .where(
      and(eq(orders.id, orderId), userId === undefined ? undefined : eq(orders.userId, userId)),
    );
  if (!found) throw fail.notFound(UNKNOWN_ORDER);
  const { orderedAt, date, items } = found;
  const parcels = (await readShipments({ orderIds: [orderId] })).get(orderId) ?? [];
  return {
    isPossible: date === null && found.isReturnable && isWithinPeriod({ orderedAt, parcels }),
    date: date && isoDateTime(date),
    items,
  };
}
