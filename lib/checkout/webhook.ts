import { and, eq, lt, sql } from "drizzle-orm";
import { db, plannedDb } from "@/db";
import { checkouts, paymentEvents } from "@/db/schema/checkout";
import { fail } from "@/lib/errors";
import { log } from "@/lib/http/log";
import { cancelCheckout, completeCheckout } from "./completion";
import { FOLLOWED_EVENTS } from "./provider";
import { findCheckoutOfPayment } from "./queries";
import { getPayment, readEvent } from "./stripe";
import { BAD_SIGNATURE } from "./texts";

/** Days that events are remembered; the provider repeats them for three. */
const KEPT_DAYS = 30;

/**
 * Takes an event of the payment provider: each counts once, in whatever order they come. It says
 * where to look; what has happened is asked for, since a signature proves who has the secret and
 * not that money was moved. One that cannot be worked off now fails, and the provider sends it
 * again.
 *
 * @throws 400 where the signature is missing, wrong or too old; 503 where the provider is away
 */
export async function takeEvent(request: {
  body: string;
  signature: string | null;
}): Promise<void> {
  const event = readEvent(request);
  if (event === null) throw fail.badRequest(BAD_SIGNATURE);
  const { id, type, paymentId } = event;
  if (paymentId === null || !FOLLOWED_EVENTS.includes(type)) return;
  // Mostly the browser was quicker, and there is nothing left to do.
  const completed = db
    .select({ at: sql`now()` })
    .from(checkouts)
    .where(and(eq(checkouts.paymentIntentId, paymentId), eq(checkouts.status, "completed")));
  const [known] = await plannedDb
    .insert(paymentEvents)
    .values({ id, type, processedAt: sql`(${completed})` })
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { processedAt: sql`coalesce(${paymentEvents.processedAt}, excluded.processed_at)` },
    })
    .returning({ processedAt: paymentEvents.processedAt });
  if (known?.processedAt) return;
  await follow({ type, paymentId });
  await plannedDb
    .update(paymentEvents)
    .set({ processedAt: sql`now()` })
    .where(eq(paymentEvents.id, id));
}

/** Two at once do no harm: an order is made once, and a cancelled payment stays cancelled. */
async function follow({ type, paymentId }: { type: string; paymentId: string }): Promise<void> {
  const known = await findCheckoutOfPayment(paymentId);
  const payment = await getPayment(paymentId);
  const checkoutId = known ?? payment?.checkoutId ?? null;
  // Without one it is somebody else's, who uses the same account at the provider.
  if (checkoutId === null) return;
  if (payment?.state === "paid") await completeCheckout({ checkoutId, payment });
  else if (payment?.state === "cancelled") await cancelCheckout(db, { checkoutId });
  else log.error({ type, payment: paymentId }, "payment provider denies its own event");
}

/** Forgets events that the provider will not send again. */
export async function forgetOldEvents(): Promise<void> {
  await db
    .delete(paymentEvents)
    .where(lt(paymentEvents.receivedAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}
