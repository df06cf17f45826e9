import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { isoDateTime } from "@/lib/dates";
import { fail } from "@/lib/errors";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { isWithinPeriod } from "./rules";
import type { WithdrawalState } from "./schemas";

/** Lines that can be sent back. */
export const isObject = eq(orderLines.productType, "physical");

/**
 * Whether an order was withdrawn from, and whether it can be.
 *
 * @param userId the buyer; undefined for an administrator, who sees every order
 * @throws 404 for an order that is unknown, or somebody else's
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
    .where(and(eq(orderLines.orderId, orders.id), isObject));
  const [found] = await db
    .select({
      orderedAt: orders.orderedAt,
      hasObjects: sql<boolean>`exists ${objects}`,
      date: withdrawals.createdAt,
      items: withdrawals.items,
    })
    .from(orders)
    .leftJoin(withdrawals, eq(withdrawals.orderId, orders.id))
    .where(
      and(eq(orders.id, orderId), userId === undefined ? undefined : eq(orders.userId, userId)),
    );
  if (!found) throw fail.notFound(UNKNOWN_ORDER);
  const { orderedAt, hasObjects, date, items } = found;
  return {
    isPossible: date === null && hasObjects && isWithinPeriod(orderedAt),
    date: date && isoDateTime(date),
    items,
  };
}
