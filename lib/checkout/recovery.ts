import { sql } from "drizzle-orm";
import { db } from "@/db";
import { log } from "@/lib/http/server/log";
import { listPayments, type Payment } from "@/lib/payments/payment-intents";
import { completeCheckout } from "./completion";
import { type ReversalReport, reversePayments } from "./reversals";

// For use after a restore. Only the payment provider knows the purchases between the backup and the failure:
// it delivered their events before the failure and does not repeat them.

/** At most this many payments are refunded per call. */
const LIMIT = 1_000;

interface PaymentReport {
  /** Payments that were taken and not refunded. */
  paid: number;
  /** Payments with an order. */
  ordered: number;
  /** Payments of a pending checkout: the reconciler completes it. */
  open: number;
  /** Payments that the shop does not know. */
  lost: { payment: string; amountCents: number; paidAt: string }[];
  /** Null where no refund was asked for. */
  settled: ReversalReport | null;
}

/**
 * Compares the payments that the provider has taken since a date with the shop's orders.
 *
 * @param isRefunding creates the orders of open payments and refunds lost payments; may be repeated
 * @throws 503 where the provider is unavailable
 */
export async function comparePayments({
  since,
  isRefunding = false,
}: {
  since: Date;
  isRefunding?: boolean;
}): Promise<PaymentReport> {
  const report: PaymentReport = { paid: 0, ordered: 0, open: 0, lost: [], settled: null };
  for await (const page of listPayments({ since })) {
    const unordered = await countPayments(page.filter(isKept), report);
    if (!isRefunding) continue;
    for (const payment of unordered)
      await completeCheckout({ checkoutId: payment.checkoutId, payment });
  }
  for (const { payment, amountCents } of report.lost)
    log.error({ payment, amountCents, isRefunding }, "money was taken without an order");
  if (isRefunding) report.settled = await reversePayments({ limit: LIMIT, isEager: true });
  return report;
}

/** Adds payments to the report. @returns the payments without an order */
async function countPayments(
  payments: readonly OwnPayment[],
  report: PaymentReport,
): Promise<OwnPayment[]> {
  const { ordered, open } = await findKnown(payments);
  for (const payment of payments) {
    report.paid++;
    if (ordered.has(payment.id)) report.ordered++;
    else if (open.has(payment.checkoutId)) report.open++;
    else report.lost.push(lossOf(payment));
  }
  return payments.filter(({ id }) => !ordered.has(id));
}

type OwnPayment = Payment & { checkoutId: string };

/** Taken, not refunded, and of this shop: other shops may use the same account at the provider. */
function isKept(payment: Payment): payment is OwnPayment {
  const { state, checkoutId, receivedCents, refundedCents } = payment;
  return state === "paid" && checkoutId !== null && refundedCents < receivedCents;
}

function lossOf({ id, receivedCents, refundedCents, paidAt }: Payment) {
  return { payment: id, amountCents: receivedCents - refundedCents, paidAt: paidAt.toISOString() };
}

/** Searches invoices too: they stay when an account is erased or an order deleted. */
async function findKnown(
  payments: readonly OwnPayment[],
): Promise<{ ordered: Set<string>; open: Set<string> }> {
  const ids = sql.param(payments.map(({ id }) => id));
  const checkoutIds = sql.param(payments.map(({ checkoutId }) => checkoutId));
  const rows = await db.execute<{ id: string; isOrdered: boolean }>(sql`
    select payment_intent_id as id, true as "isOrdered" from orders
      where payment_intent_id = any(${ids}::text[])
    union select payment_id, true from invoices where payment_id = any(${ids}::text[])
    union select content->>'paymentId', true from invoice_versions
      where content->>'paymentId' = any(${ids}::text[])
    union select id::text, false from checkouts
      where id = any(${checkoutIds}::uuid[]) and status = 'pending'`);
  const idsOf = (isOrdered: boolean) =>
    new Set(rows.filter((row) => row.isOrdered === isOrdered).map(({ id }) => id));
  return { ordered: idsOf(true), open: idsOf(false) };
}
