import type { Store } from "@/sandbox/cards/store";

export type Summary = ReturnType<typeof summarize>;

interface Movement {
  payment_intent: string;
  amount: number;
}

const sumOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { amount }) => sum + amount, 0);

function sumsByPayment(movements: readonly Movement[]): (payment: string) => number {
  const sums = new Map<string, number>();
  for (const { payment_intent: id, amount } of movements)
    sums.set(id, (sums.get(id) ?? 0) + amount);
  return (id) => sums.get(id) ?? 0;
}

/**
 * Totals, and payments newest first, in cents. Computed from charges and refunds, independent of the
 * payment intents' amounts.
 */
export function summarize(store: Store) {
  const charges = store.list("charges").filter(({ paid }) => paid);
  const refunds = store.list("refunds").filter(({ status }) => status !== "failed");
  /** Lost disputes: the buyers' banks have taken the money back. */
  const lost = store.list("disputes").filter(({ status }) => status === "lost");
  const takenOf = sumsByPayment(charges);
  const refundedOf = sumsByPayment(refunds);
  const disputedOf = sumsByPayment(lost);
  const payments = store.list("paymentIntents").map((intent) => ({
    id: intent.id,
    status: intent.status,
    currency: intent.currency,
    amount: intent.amount,
    taken: takenOf(intent.id),
    refunded: refundedOf(intent.id),
    disputed: disputedOf(intent.id),
    created: intent.created,
    metadata: intent.metadata,
    /** The last four digits of the latest charge's card. */
    last4: store.get("charges", intent.latest_charge ?? "")?.payment_method_details.card.last4,
    error: intent.last_payment_error?.message,
  }));
  const webhooks = { pending: 0, delivered: 0, suppressed: 0 };
  for (const { delivery } of store.list("events")) webhooks[delivery] += 1;
  return {
    totals: {
      taken: sumOf(charges),
      refunded: sumOf(refunds),
      net: sumOf(charges) - sumOf(refunds) - sumOf(lost),
      payments: charges.length,
      refunds: refunds.length,
    },
    webhooks,
    payments: payments.reverse(),
  };
}
