import { and, eq, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts, paymentClosures, paymentEvents } from "@/db/schema/checkout";
import { fail } from "@/lib/errors";
import { log } from "@/lib/http/server/log";
import { HANDLED_EVENTS } from "@/lib/payment-provider";
import { getPayment, parseEvent } from "@/lib/payments/stripe";
import { syncRefunds } from "@/lib/refunds/provider-refunds";
import { cancelCheckout, completeCheckout } from "./completion";
import { BAD_SIGNATURE } from "./texts";

/** `t=…,v1=…`, in any order, perhaps with signatures by several secrets and of other schemes. */
const SIGNATURE_PART = /^(?:t=\d{1,12}|v1=[\da-f]{64}|(?!t=|v1=)\w{1,20}=[\w+/=-]{0,200})$/;

/**
 * Refuses what cannot be an event of the payment provider, before its body is read.
 *
 * @throws 400 where the signature is missing or malformed
 */
export function requireSignature({ headers }: Request): void {
  const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim());
  const has = (name: string) => parts.some((part) => part.startsWith(`${name}=`));
  if (!has("t") || !has("v1") || !parts.every((part) => SIGNATURE_PART.test(part)))
    throw fail.badRequest(BAD_SIGNATURE);
}

/**
 * Handles an event of the payment provider: each is processed once, in whatever order they arrive.
 * It only names the payment, whose state is then fetched: a signature proves who has the secret, not
 * that money was moved. An event that cannot be processed fails, and the provider sends it again.
 *
 * @throws 400 where the signature is missing, wrong or too old; 503 where the provider is unavailable
 */
export async function handleEvent(request: {
  body: string;
  signature: string | null;
}): Promise<void> {
  const event = parseEvent(request);
  if (event === null) throw fail.badRequest(BAD_SIGNATURE);
  const { id, type, paymentId, isRefund } = event;
  if (paymentId === null || !HANDLED_EVENTS.includes(type)) return;
  if (isRefund) return handleRefundEvent({ id, type, paymentId });
  const ofPayment = eq(checkouts.paymentIntentId, paymentId);
  const checkout = db.select({ id: checkouts.id }).from(checkouts).where(ofPayment);
  // Mostly the browser's request has completed the checkout already.
  const completed = db
    .select({ at: sql`now()` })
    .from(checkouts)
    .where(and(ofPayment, or(eq(checkouts.status, "completed"), isGoingBack)));
  const [known] = await db
    .insert(paymentEvents)
    .values({ id, type, processedAt: sql`(${completed})` })
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { processedAt: sql`coalesce(${paymentEvents.processedAt}, excluded.processed_at)` },
    })
    .returning({
      processedAt: paymentEvents.processedAt,
      checkoutId: sql<string | null>`(${checkout})`,
    });
  if (known?.processedAt) return;
  await applyEvent({ type, paymentId, checkoutId: known?.checkoutId ?? null });
  await db.update(paymentEvents).set({ processedAt: sql`now()` }).where(eq(paymentEvents.id, id));
}

/** A refund or a dispute of this payment has changed: the provider is asked for all of them. */
async function handleRefundEvent({
  id,
  type,
  paymentId,
}: {
  id: string;
  type: string;
  paymentId: string;
}): Promise<void> {
  const [known] = await db
    .insert(paymentEvents)
    .values({ id, type })
    .onConflictDoUpdate({ target: paymentEvents.id, set: { type } })
    .returning({ processedAt: paymentEvents.processedAt });
  if (known?.processedAt) return;
  await syncRefunds({ paymentIntentId: paymentId });
  await db.update(paymentEvents).set({ processedAt: sql`now()` }).where(eq(paymentEvents.id, id));
}
/** It was paid, and the payment is being refunded since the products were sold out. */
const isGoingBack = sql`exists (select from ${paymentClosures}
  where payment_intent_id = checkouts.payment_intent_id and reason = 'sold-out')`;

/**
 * May run concurrently: an order is created once, and a cancelled payment stays cancelled.
 *
 * @param checkoutId the checkout that waits for the payment; null where none is known
 */
async function applyEvent({
  type,
  paymentId,
  checkoutId: known,
}: {
  type: string;
  paymentId: string;
  checkoutId: string | null;
}): Promise<void> {
  const payment = await getPayment(paymentId);
  const checkoutId = known ?? payment?.checkoutId ?? null;
  // Without one it belongs to another shop with the same account at the provider.
  if (checkoutId === null) return;
  if (payment?.state === "paid") await completeCheckout({ checkoutId, payment });
  else if (payment?.state === "cancelled") {
    // The checkout may have another payment by now.
    const isItsPayment = sql`coalesce(${checkouts.paymentIntentId}, ${paymentId}) = ${paymentId}`;
    await cancelCheckout(db, { checkoutId, only: isItsPayment });
  } else log.error({ type, payment: paymentId }, "payment provider denies its own event");
}
