import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { orders } from "@/db/schema/orders";
import { freeCheckoutId } from "./rules";

/** Is the checkout's payment being refunded because another customer got the pieces? */
export const isRefundedAsSoldOut = sql<boolean>`exists (select from ${paymentClosures}
  where payment_intent_id = checkouts.payment_intent_id and reason = 'sold-out')`;

/**
 * The customer's checkout of a payment id or a `freePaymentId`, with its order, if any; null for an unknown
 * checkout or another customer's.
 */
export async function getCheckout({
  userId,
  paymentIntentId,
}: {
  userId: number;
  paymentIntentId: string;
}) {
  const freeId = freeCheckoutId(paymentIntentId);
  const isCheckout =
    freeId === null
      ? eq(checkouts.paymentIntentId, paymentIntentId)
      : and(eq(checkouts.id, freeId), eq(checkouts.totalCents, 0));
  const [checkout] = await db
    .select({
      id: checkouts.id,
      status: checkouts.status,
      order: { id: orders.id, totalCents: orders.totalCents },
      isSoldOut: isRefundedAsSoldOut,
    })
    .from(checkouts)
    .leftJoin(orders, eq(orders.id, checkouts.orderId))
    .where(and(isCheckout, eq(checkouts.userId, userId)));
  return checkout ?? null;
}
