import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { secondsFromNow } from "@/db/time";
import { log } from "@/lib/http/server/log";
import { type BatchOptions, claimEnd, processDueRows } from "@/lib/payments/due-rows";
import { cancelPayment, getPayment, type Payment } from "@/lib/payments/payment-intents";
import { sendDueRefunds } from "@/lib/refunds/send";
import { syncRecentRefunds } from "@/lib/refunds/sync";
import { cancelCheckout, completeCheckout } from "./completion";
import { reversePayments } from "./reversals";
import { ABANDONED_AFTER, nextCheckDelay } from "./rules";
import { writeOrderNumbers } from "./write-order-numbers";

/**
 * Asks the provider about pending checkouts and completes or cancels them. Then reverses the queued payments,
 * sends the pending refunds, and writes the numbers of new orders to their payments. Each step handles at
 * most the batch's limit.
 */
export async function reconcile(options: BatchOptions) {
  const report = { completed: 0, abandoned: 0, waiting: 0, failed: 0 };
  await processDueRows(options, {
    table: checkouts,
    id: checkouts.id,
    dueAt: checkouts.nextCheckAt,
    // A literal, not a parameter: the index covers pending checkouts only.
    isPending: eq(checkouts.status, sql`'pending'`),
    claim: (isNext) =>
      db
        .update(checkouts)
        .set({ nextCheckAt: claimEnd })
        .where(isNext)
        .returning({
          id: checkouts.id,
          paymentIntentId: checkouts.paymentIntentId,
          ageSeconds: sql<number>`extract(epoch from now() - ${checkouts.updatedAt})::int`,
        }),
    idOf: ({ id }) => id,
    work: async (checkout) => {
      let payment: Payment | null = null;
      try {
        payment = await currentPayment(checkout);
        report[await applyPayment({ checkout, payment })]++;
      } catch (error) {
        const about = { err: error, checkout: checkout.id };
        if (payment?.state === "paid") log.error(about, "paid checkout not completed yet");
        else log.warn(about, "checkout not reconciled yet");
        report.failed++;
      }
    },
  });
  const settled = await reversePayments(options);
  const refunds = await sendDueRefunds(options);
  const { isEager = false, signal } = options;
  if (!signal?.aborted) await syncRecentRefunds({ isEager });
  await writeOrderNumbers(options);
  return { ...report, settled, refunds };
}

interface ClaimedCheckout {
  id: string;
  paymentIntentId: string | null;
  ageSeconds: number;
}

const isOld = ({ ageSeconds }: ClaimedCheckout) => ageSeconds > ABANDONED_AFTER;

/** The checkout's payment, cancelled if the checkout is too old; null where it has none. */
async function currentPayment(checkout: ClaimedCheckout): Promise<Payment | null> {
  const { paymentIntentId } = checkout;
  const payment = paymentIntentId === null ? null : await getPayment(paymentIntentId);
  return payment?.state === "open" && isOld(checkout) ? cancelPayment(payment.id) : payment;
}

async function applyPayment({
  checkout,
  payment,
}: {
  checkout: ClaimedCheckout;
  payment: Payment | null;
}): Promise<"completed" | "abandoned" | "waiting"> {
  const { id: checkoutId, paymentIntentId, ageSeconds } = checkout;
  if (payment?.state === "paid") {
    await completeCheckout({ checkoutId, payment });
    return "completed";
  }
  const isOver = payment === null ? paymentIntentId !== null : payment.state === "cancelled";
  if (isOver) {
    await cancelCheckout(db, { checkoutId });
    return "abandoned";
  }
  const isUnopened = payment === null && isOld(checkout);
  if (isUnopened && (await cancelCheckout(db, { checkoutId, only: UNOPENED }))) return "abandoned";
  await db
    .update(checkouts)
    .set({ nextCheckAt: secondsFromNow(nextCheckDelay(ageSeconds)) })
    .where(eq(checkouts.id, checkoutId));
  return "waiting";
}

/** Old checkouts without a payment: nobody has a secret to pay with, and no payment is just being opened. */
const UNOPENED = and(
  isNull(checkouts.paymentIntentId),
  lt(checkouts.updatedAt, secondsFromNow(-ABANDONED_AFTER)),
);
