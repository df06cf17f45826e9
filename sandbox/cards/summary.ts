import type { StoredDelivery } from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";

/** In cents. */
interface Totals {
  taken: number;
  refunded: number;
  /** taken - refunded - what banks have taken back */
  net: number;
  payments: number;
  refunds: number;
}

export interface PaymentSummary {
  id: string;
  status: string;
  currency: string;
  amount: number;
  taken: number;
  refunded: number;
  /** What the buyer's bank has taken back. */
  disputed: number;
  created: number;
  metadata: Record<string, string>;
  /** The last four digits of the latest charge's card. */
  last4: string | null;
  error: string | null;
}

export interface Summary {
  /** By currency. */
  totals: Record<string, Totals>;
  statuses: Record<string, number>;
  webhooks: { pending: number } & Record<StoredDelivery["outcome"], number>;
  /** Newest first. */
  payments: PaymentSummary[];
}

/** Totals and payments, computed from charges and refunds rather than from payment intents. */
export function summarize(store: Store): Summary {
  return store.read((tx) => {
    const totals: Summary["totals"] = {};
    const statuses: Summary["statuses"] = {};
    const taken = new Map<string, number>();
    const refunded = new Map<string, number>();
    const disputed = new Map<string, number>();
    const add = (sums: Map<string, number>, id: string, amount: number) =>
      sums.set(id, (sums.get(id) ?? 0) + amount);
    const totalOf = (currency: string) => {
      totals[currency] ??= { taken: 0, refunded: 0, net: 0, payments: 0, refunds: 0 };
      return totals[currency];
    };
    for (const charge of tx.list("charges")) {
      if (!charge.paid) continue;
      const total = totalOf(charge.currency);
      total.taken += charge.amount_captured;
      total.net += charge.amount_captured;
      total.payments += 1;
      add(taken, charge.payment_intent, charge.amount_captured);
    }
    for (const dispute of tx.list("disputes")) {
      if (dispute.status !== "lost") continue;
      totalOf(dispute.currency).net -= dispute.amount;
      add(disputed, dispute.payment_intent, dispute.amount);
    }
    for (const refund of tx.list("refunds")) {
      if (refund.status === "failed") continue;
      const total = totalOf(refund.currency);
      total.refunded += refund.amount;
      total.net -= refund.amount;
      total.refunds += 1;
      add(refunded, refund.payment_intent, refund.amount);
    }
    const payments = tx.list("paymentIntents").map((intent): PaymentSummary => {
      statuses[intent.status] = (statuses[intent.status] ?? 0) + 1;
      const charge = intent.latest_charge ? tx.get("charges", intent.latest_charge) : undefined;
      return {
        id: intent.id,
        status: intent.status,
        currency: intent.currency,
        amount: intent.amount,
        taken: taken.get(intent.id) ?? 0,
        refunded: refunded.get(intent.id) ?? 0,
        disputed: disputed.get(intent.id) ?? 0,
        created: intent.created,
        metadata: intent.metadata,
        last4: charge?.payment_method_details?.card?.last4 ?? null,
        error: intent.last_payment_error?.message ?? null,
      };
    });
    const webhooks = { pending: 0, delivered: 0, suppressed: 0 };
    for (const event of tx.list("events"))
      webhooks[tx.get("deliveries", event.id)?.outcome ?? "pending"] += 1;
    return { totals, statuses, webhooks, payments: payments.reverse() };
  });
}
