import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { orders } from "@/db/schema/orders";
import type { SealedColumn } from "@/db/sealed-column";
import { secondsFromNow } from "@/db/time";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { enqueueMail } from "@/lib/mail/outbox";
import { recipientSealer } from "@/lib/mail/seal";
import { type BatchOptions, claimEnd, processDueRows } from "@/lib/payments/due-rows";
import {
  cancelPayment,
  getPayment,
  type Payment,
  refundPayment,
} from "@/lib/payments/payment-intents";
import { failureLevel, retryDelay } from "@/lib/payments/rules";
import { transactWithRetries } from "@/lib/payments/transaction";

type Reversal = typeof paymentClosures.$inferSelect;

/**
 * Queues the reversal of a payment, in the transaction that decides on the reversal. `reversePayments`
 * cancels or refunds the payment later. A second call changes nothing if the payment has been refunded.
 * Otherwise it queues the reversal again, since the provider may have reported a paid payment as unpaid.
 * An attempt that is running and finds nothing paid does not settle the requeued reversal.
 */
export async function enqueueReversal(
  tx: Pick<Transaction, "insert">,
  {
    paymentIntentId,
    reason,
    buyer,
  }: {
    paymentIntentId: string;
    reason: Reversal["reason"];
    /** The mail's recipient; null where the buyer is unknown. */
    buyer: { email: string; userId: number | null } | null;
  },
): Promise<void> {
  await tx
    .insert(paymentClosures)
    .values({
      paymentIntentId,
      reason,
      recipient: buyer && recipientSealer.seal(buyer.email),
      userId: buyer?.userId ?? null,
    })
    .onConflictDoUpdate({
      target: paymentClosures.paymentIntentId,
      set: {
        attempts: sql`${paymentClosures.attempts} + 1`,
        nextAttemptAt: sql`case when ${paymentClosures.settledAt} is null
          then ${paymentClosures.nextAttemptAt} else now() end`,
        recipient: sql`coalesce(${paymentClosures.recipient}, excluded.recipient)`,
        userId: sql`coalesce(${paymentClosures.userId}, excluded.user_id)`,
        outcome: null,
        settledAt: null,
      },
      setWhere: sql`${paymentClosures.outcome} is distinct from 'refunded'`,
    });
}

export interface ReversalReport {
  cancelled: number;
  refunded: number;
  /** Attempts that failed; they will be retried. */
  postponed: number;
}

/** Cancels or refunds queued payments that are due. */
export async function reversePayments(options: BatchOptions): Promise<ReversalReport> {
  const report: ReversalReport = { cancelled: 0, refunded: 0, postponed: 0 };
  await processDueRows(options, {
    table: paymentClosures,
    id: paymentClosures.paymentIntentId,
    dueAt: paymentClosures.nextAttemptAt,
    isPending: isNull(paymentClosures.settledAt),
    claim: (isNext) =>
      db
        .update(paymentClosures)
        .set({ attempts: sql`${paymentClosures.attempts} + 1`, nextAttemptAt: claimEnd })
        .where(isNext)
        .returning(),
    idOf: ({ paymentIntentId }) => paymentIntentId,
    work: async (reversal) => {
      report[await attemptReversal(reversal)]++;
    },
  });
  return report;
}

async function attemptReversal(reversal: Reversal): Promise<keyof ReversalReport> {
  const { paymentIntentId, attempts } = reversal;
  try {
    const payment = await cancelOrRefund(paymentIntentId);
    if (payment !== "later") return await completeReversal({ reversal, payment });
  } catch (error) {
    const about = { err: error, payment: paymentIntentId, attempts };
    log[failureLevel(attempts)](about, "payment not settled yet");
  }
  await db
    .update(paymentClosures)
    .set({ nextAttemptAt: secondsFromNow(retryDelay(attempts)) })
    .where(isLatestAttempt(reversal));
  return "postponed";
}

const isUnsettled = ({ paymentIntentId }: Reversal) =>
  and(eq(paymentClosures.paymentIntentId, paymentIntentId), isNull(paymentClosures.settledAt));

/** No newer attempt has been claimed or queued. */
const isLatestAttempt = (reversal: Reversal) =>
  and(isUnsettled(reversal), eq(paymentClosures.attempts, reversal.attempts));

/**
 * @returns the payment in its final state, null where the provider knows no such payment, "later" where the
 *   payment cannot be decided yet
 */
async function cancelOrRefund(id: string): Promise<Payment | null | "later"> {
  // The last safeguard: the payment of an order is never refunded from here.
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.paymentIntentId, id));
  if (order) throw new Error(`The payment ${id} belongs to the order ${order.id}.`);
  let payment = await getPayment(id);
  if (payment?.state === "open") payment = await cancelPayment(id);
  if (payment === null || payment.state === "cancelled") return payment;
  if (payment.state !== "paid") return "later";
  if (payment.refundedCents < payment.receivedCents) await refundPayment(id);
  return payment;
}

/**
 * Records the outcome and mails the buyer about a refund; only the first call has an effect. The outcome
 * "nothing was paid" is accepted from the latest attempt only: the payment may have been taken since an
 * earlier attempt.
 */
async function completeReversal({
  reversal,
  payment,
}: {
  reversal: Reversal;
  payment: Payment | null;
}): Promise<"cancelled" | "refunded"> {
  const { paymentIntentId, userId } = reversal;
  const isPaid = payment?.state === "paid";
  const outcome = isPaid ? "refunded" : "cancelled";
  await transactWithRetries(async (tx) => {
    // Lock the user first, as everywhere. The user may have been erased since the claim.
    const [user] =
      userId === null
        ? []
        : await tx
            .select({ id: users.id })
            .from(users)
            .where(eq(users.id, userId))
            .for("key share");
    const [completed] = await tx
      .update(paymentClosures)
      .set({
        outcome,
        refundedCents: isPaid ? payment.receivedCents : 0,
        settledAt: sql`now()`,
        recipient: null,
      })
      .where(isPaid ? isUnsettled(reversal) : isLatestAttempt(reversal))
      .returning({ id: paymentClosures.paymentIntentId });
    if (!completed) return;
    await tx
      .update(checkouts)
      .set({ status: outcome, updatedAt: sql`now()` })
      .where(
        and(
          eq(checkouts.paymentIntentId, paymentIntentId),
          inArray(checkouts.status, ["pending", "cancelled"]),
        ),
      );
    const to = isPaid ? openRecipient(reversal) : null;
    if (!isPaid || to === null) return;
    await enqueueMail(tx, {
      template: "payment-refunded",
      data: {
        amountCents: payment.receivedCents,
        paidAt: payment.paidAt.toISOString(),
        isSoldOut: reversal.reason === "sold-out",
      },
      to,
      replyTo: contactMail(),
      ...(user && { userId: user.id }),
      dedupeKey: `payment-refunded:${paymentIntentId}`,
    });
  });
  return outcome;
}

/**
 * Null where there is no recipient, or its sealing secret is gone: the refund is then made without a mail.
 */
function openRecipient({ paymentIntentId, recipient }: Reversal): string | null {
  try {
    return recipient && recipientSealer.unseal(recipient);
  } catch (error) {
    log.error({ err: error, payment: paymentIntentId }, "buyer not told of a refund");
    return null;
  }
}

export const sealedRecipients: SealedColumn = {
  name: "recipients of refund notices",
  table: paymentClosures,
  id: paymentClosures.paymentIntentId,
  sealed: paymentClosures.recipient,
  reseal: ({ sealed }) => recipientSealer.reseal(sealed),
  set: (recipient) => ({ recipient }),
};
