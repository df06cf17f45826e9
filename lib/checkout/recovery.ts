import { sql } from "drizzle-orm";
import { db } from "@/db";
import { log } from "@/lib/http/log";
import { completeCheckout } from "./completion";
import { type SettlementReport, settlePayments } from "./settlements";
import { listPayments, type Payment } from "./stripe";

// For the time after a restore: what was bought between the backup and the failure is known to the
// payment provider alone, which has told the shop that has gone and will not tell it again.

/** Payments to be given back, per call. */
const LIMIT = 1_000;

export interface PaymentReport {
  /** Payments that were taken and not given back. */
  paid: number;
  /** Those of an order. */
  ordered: number;
  /** Those of a checkout that is not an order yet: the reconciler sees to them. */
  open: number;
  /** Those that the shop knows nothing of. */
  lost: { payment: string; amountCents: number; paidAt: string }[];
  /** Where lost ones were to be given back. */
  settled: SettlementReport | null;
}

/**
 * Compares the payments that the provider has taken since then with the shop's orders.
 *
 * @param isRefunding makes orders of the open ones, and gives the lost ones back; may be repeated
 * @throws 503 where the provider is away
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
    const kept = page.filter(isKept);
    const { ordered, open } = await findKnown(kept);
    for (const payment of kept) {
      report.paid++;
      if (ordered.has(payment.id)) report.ordered++;
      else if (open.has(payment.checkoutId)) report.open++;
      else report.lost.push(lossOf(payment));
      if (isRefunding && !ordered.has(payment.id))
        await completeCheckout({ checkoutId: payment.checkoutId, payment });
    }
  }
  for (const { payment, amountCents } of report.lost)
    log.error({ payment, amountCents, isRefunding }, "money was taken without an order");
  if (isRefunding) report.settled = await settlePayments({ limit: LIMIT, isEager: true });
  return report;
}

type OwnPayment = Payment & { checkoutId: string };

/** Another shop may use the same account at the provider. */
function isKept(payment: Payment): payment is OwnPayment {
  const { state, checkoutId, receivedCents, refundedCents } = payment;
  return state === "paid" && checkoutId !== null && refundedCents < receivedCents;
}

function lossOf({ id, receivedCents, refundedCents, paidAt }: Payment) {
  return { payment: id, amountCents: receivedCents - refundedCents, paidAt: paidAt.toISOString() };
}

/** An erased account leaves the invoice; an order that was deleted does, too. */
async function findKnown(
  payments: readonly OwnPayment[],
): Promise<{ ordered: Set<string>; open: Set<string> }> {
  const ids = sql.param(payments.map(({ id }) => id));
  const checkoutIds = sql.param(payments.map(({ checkoutId }) => checkoutId));
  const { rows } = await db.execute<{ id: string; isOrdered: boolean }>(sql`
    select payment_intent_id as id, true as "isOrdered" from orders
      where payment_intent_id = any(${ids}::text[])
    union select payment_id, true from invoices where payment_id = any(${ids}::text[])
    union select id::text, false from checkouts where id = any(${checkoutIds}::uuid[])`);
  const idsOf = (isOrdered: boolean) =>
    new Set(rows.filter((row) => row.isOrdered === isOrdered).map(({ id }) => id));
  return { ordered: idsOf(true), open: idsOf(false) };
}
