import { and, eq } from "drizzle-orm";
import { db } from "@/db";
import { checkouts } from "@/db/schema/checkout";

/** Whose payment, and what has come of it; null for a payment of somebody else or of nobody. */
export async function getCheckout({
  userId,
  paymentIntentId,
}: {
  userId: number;
  paymentIntentId: string;
}) {
  const [checkout] = await db
    .select({ id: checkouts.id, status: checkouts.status, totalCents: checkouts.totalCents })
    .from(checkouts)
    .where(and(eq(checkouts.paymentIntentId, paymentIntentId), eq(checkouts.userId, userId)));
  return checkout ?? null;
}

/** The checkout of a payment, whoever's it is. */
export async function findCheckoutOfPayment(paymentIntentId: string): Promise<string | null> {
  const [checkout] = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(eq(checkouts.paymentIntentId, paymentIntentId));
  return checkout?.id ?? null;
}
