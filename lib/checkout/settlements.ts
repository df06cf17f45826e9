import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { orders } from "@/db/schema/orders";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/log";
import { enqueueMail } from "@/lib/mail/outbox";
import { openRecipient, sealRecipient } from "@/lib/mail/seal";
import { nextTry } from "./rules";
import { cancelPayment, getPayment, type Payment, refundPayment } from "./stripe";
import { transact } from "./transaction";

/** Seconds that a claimed payment is kept from others who settle. */
const CLAIM = 120;

type Closure = typeof paymentClosures.$inferSelect;

/**
 * Writes down that the shop must keep nothing of a payment: with the transaction that decides so,
 * and carried out after it by `settlePayments`. A second time changes nothing.
 */
export async function requireSettlement(
  tx: Pick<Transaction, "insert">,
  {
    paymentIntentId,
    reason,
    buyer,
  }: {
    paymentIntentId: string;
    reason: Closure["reason"];
    /** Whom to tell; null where nobody knows. */
    buyer: { email: string; userId: number | null } | null;
  },
): Promise<void> {
  await tx
    .insert(paymentClosures)
    .values({
      paymentIntentId,
      reason,
      recipient: buyer && sealRecipient(buyer.email),
      userId: buyer?.userId ?? null,
    })
    .onConflictDoNothing();
}

export interface SettlementReport {
  cancelled: number;
  refunded: number;
  /** Tried without success; they will be tried again. */
  postponed: number;
}

/**
 * Cancels or gives back what `requireSettlement` has written down, at most `limit` payments. Any
 * number of processes may do so at once.
 *
 * @param isEager also takes those whose next try is due later
 * @param signal ends the round before the next one
 */
export async function settlePayments({
  limit,
  isEager = false,
  signal,
}: {
  limit: number;
  isEager?: boolean;
  signal?: AbortSignal;
}): Promise<SettlementReport> {
  const report: SettlementReport = { cancelled: 0, refunded: 0, postponed: 0 };
  const seen: string[] = [];
  while (seen.length < limit && !signal?.aborted) {
    const closure = await claim({ isEager, seen });
    if (!closure) break;
    seen.push(closure.paymentIntentId);
    report[await settle(closure)]++;
  }
  return report;
}

async function claim({
  isEager,
  seen,
}: {
  isEager: boolean;
  seen: readonly string[];
}): Promise<Closure | undefined> {
  const due = db
    .select({ id: paymentClosures.paymentIntentId })
    .from(paymentClosures)
    .where(
      and(
        isNull(paymentClosures.settledAt),
        isEager ? undefined : lte(paymentClosures.nextAttemptAt, sql`now()`),
        seen.length > 0
          ? sql`${paymentClosures.paymentIntentId} <> all(${sql.param([...seen])}::text[])`
          : undefined,
      ),
    )
    .orderBy(asc(paymentClosures.nextAttemptAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [closure] = await db
    .update(paymentClosures)
    .set({
      attempts: sql`${paymentClosures.attempts} + 1`,
      nextAttemptAt: sql`now() + make_interval(secs => ${CLAIM})`,
    })
    .where(eq(paymentClosures.paymentIntentId, sql`(${due})`))
    .returning();
  return closure;
}

async function settle(closure: Closure): Promise<keyof SettlementReport> {
  const { paymentIntentId, attempts } = closure;
  try {
    const payment = await undo(paymentIntentId);
    if (payment !== "later") return await finish({ closure, payment });
  } catch (error) {
    log.warn({ err: error, payment: paymentIntentId, attempts }, "payment not settled yet");
  }
  await db
    .update(paymentClosures)
    .set({ nextAttemptAt: sql`now() + make_interval(secs => ${nextTry(attempts)})` })
    .where(eq(paymentClosures.paymentIntentId, paymentIntentId));
  return "postponed";
}

/**
 * Sees that nothing of a payment stays with the shop.
 *
 * @returns the payment as it is in the end, null where the provider knows none, "later" where it
 *   cannot be decided yet
 */
async function undo(id: string): Promise<Payment | null | "later"> {
  // A last net: an order's money is never given back from here.
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

/** Writes down how it ended and, where money went back, tells the buyer: once, however often. */
async function finish({
  closure: { paymentIntentId, recipient, userId },
  payment,
}: {
  closure: Closure;
  payment: Payment | null;
}): Promise<"cancelled" | "refunded"> {
  const isPaid = payment?.state === "paid";
  const outcome = isPaid ? "refunded" : "cancelled";
  await transact(async (tx) => {
    // Before anything else, as everywhere; and gone, perhaps, since the payment was taken up.
    const [user] =
      userId === null
        ? []
        : await tx
            .select({ id: users.id })
            .from(users)
            .where(eq(users.id, userId))
            .for("key share");
    const [settled] = await tx
      .update(paymentClosures)
      .set({
        outcome,
        refundedCents: isPaid ? payment.receivedCents : 0,
        settledAt: sql`now()`,
        recipient: null,
      })
      .where(
        and(
          eq(paymentClosures.paymentIntentId, paymentIntentId),
          isNull(paymentClosures.settledAt),
        ),
      )
      .returning({ id: paymentClosures.paymentIntentId });
    if (!settled) return;
    await tx
      .update(checkouts)
      .set({ status: outcome, updatedAt: sql`now()` })
      .where(
        and(
          eq(checkouts.paymentIntentId, paymentIntentId),
          inArray(checkouts.status, ["pending", "cancelled"]),
        ),
      );
    if (!isPaid || recipient === null) return;
    await enqueueMail(tx, {
      template: "payment-refunded",
      data: { amountCents: payment.receivedCents, paidAt: payment.paidAt.toISOString() },
      to: openRecipient(recipient),
      replyTo: contactMail(),
      ...(user && { userId: user.id }),
      dedupeKey: `payment-refunded:${paymentIntentId}`,
    });
  });
  return outcome;
}
