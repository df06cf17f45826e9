import { sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts, paymentEvents } from "@/db/schema/checkout";
import { fail } from "@/lib/errors/failure";
import { log } from "@/lib/http/server/log";
import { HANDLED_EVENTS } from "@/lib/payment-settings";
import { getPayment, parseEvent } from "@/lib/payments/payment-intents";
import { syncRefunds } from "@/lib/refunds/sync";
import { cancelCheckout, completeCheckout } from "./completion";
import { isRefundedAsSoldOut } from "./queries";
import { BAD_SIGNATURE } from "./texts";

/** A part of `t=…,v1=…`: parts may stand in any order, with several signatures and with other schemes. */
const SIGNATURE_PART = /^(?:t=\d{1,12}|v1=[\da-f]{64}|(?!t=|v1=)\w{1,20}=[\w+/=-]{0,200})$/;

/** Refuses an event before its body is read. @throws 400 where the signature is missing or malformed */
export function requireSignature({ headers }: Request): void {
  const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim());
  const has = (name: string) => parts.some((part) => part.startsWith(`${name}=`));
  if (!has("t") || !has("v1") || !parts.every((part) => SIGNATURE_PART.test(part)))
    throw fail.badRequest(BAD_SIGNATURE);
}

/**
 * Handles an event of the payment provider. Each event is processed once; the order of arrival does not
 * matter. The event only names the payment; the payment's state is then fetched from the provider: a
 * signature proves that the sender has the secret, not that money was moved. An event that cannot be
 * processed fails, and the provider sends it again.
 *
 * @throws 400 where the signature is missing, wrong or too old; 503 where the provider is unavailable
 */
export async function handleEvent(request: Parameters<typeof parseEvent>[0]): Promise<void> {
  const event = parseEvent(request);
  if (event === null) throw fail.badRequest(BAD_SIGNATURE);
  const { id, type, paymentId, isRefund } = event;
  if (paymentId === null || !HANDLED_EVENTS.includes(type)) return;
  const { isProcessed, isSettled, checkoutId } = await readKnown({ id, paymentId });
  if (isProcessed) return;
  if (isRefund) await syncRefunds({ paymentIntentId: paymentId });
  else if (!isSettled) await applyEvent({ type, paymentId, checkoutId });
  const processed = { processedAt: sql`now()` };
  await db
    .insert(paymentEvents)
    .values({ id, type, ...processed })
    .onConflictDoUpdate({ target: paymentEvents.id, set: processed });
}

interface Known {
  isProcessed: boolean;
  /** The payment is an order already, mostly by the browser's request, or is being refunded as sold out. */
  isSettled: boolean;
  /** The checkout that waits for the payment; null where the shop knows none. */
  checkoutId: string | null;
}

async function readKnown({ id, paymentId }: { id: string; paymentId: string }): Promise<Known> {
  const [known] = await db.execute<Known & Record<string, unknown>>(sql`
    select exists (
        select from ${paymentEvents} where id = ${id} and processed_at is not null
      ) as "isProcessed",
      coalesce(checkouts.status = 'completed', false) or ${isRefundedAsSoldOut} as "isSettled",
      checkouts.id as "checkoutId"
    from (select) as event
    left join ${checkouts} on checkouts.payment_intent_id = ${paymentId}`);
  if (!known) throw new Error("A query without a condition gave no row.");
  return known;
}

/** May run concurrently: an order is created once, and a cancelled payment stays cancelled. */
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
  // A payment without a checkout belongs to another shop with the same account at the provider.
  if (checkoutId === null) return;
  if (payment?.state === "paid") await completeCheckout({ checkoutId, payment });
  else if (payment?.state === "cancelled") {
    // The checkout may have another payment by now.
    const isItsPayment = sql`coalesce(${checkouts.paymentIntentId}, ${paymentId}) = ${paymentId}`;
    await cancelCheckout(db, { checkoutId, only: isItsPayment });
  } else log.error({ type, payment: paymentId }, "payment provider denies its own event");
}
