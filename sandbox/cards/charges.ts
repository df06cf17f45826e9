import { randomBytes } from "node:crypto";
import { centsOfDemoPayment } from "@/lib/payments/demo-payment";
import { newId, type StoredCharge, type StoredPaymentIntent } from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";
import { TEST_CARDS, type TestCard } from "@/sandbox/cards/test-cards";

/** A payment intent without a card. */
export function newPaymentIntent(
  given: Pick<StoredPaymentIntent, "id" | "amount" | "created" | "description" | "metadata">,
): StoredPaymentIntent {
  return {
    ...given,
    object: "payment_intent",
    amount_received: 0,
    client_secret: `${given.id}_secret_${randomBytes(16).toString("hex")}`,
    currency: "eur",
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  };
}

/** The charge of a payment attempt, succeeded or declined. */
export function createCharge(
  store: Store,
  { intent, card, now }: { intent: StoredPaymentIntent; card: TestCard; now: number },
): StoredCharge {
  return store.put("charges", {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    created: now,
    currency: intent.currency,
    paid: card.decline === null,
    payment_intent: intent.id,
    payment_method_details: { type: "card", card: { last4: card.number.slice(-4) } },
  });
}

/** The latest charge of a payment, with its refunded amount. */
export function latestCharge(store: Store, { latest_charge }: StoredPaymentIntent) {
  const charge = latest_charge === null ? undefined : store.get("charges", latest_charge);
  if (!charge) return null;
  const refunds = store
    .list("refunds")
    .filter((refund) => refund.charge === charge.id && refund.status !== "failed");
  return { ...charge, amount_refunded: refunds.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Writes the payment of a seeded demonstration order, which was never made here, when it is refunded. */
export function demoPayment(store: Store, id: string): StoredPaymentIntent | undefined {
  const amount = centsOfDemoPayment(id);
  const [card] = TEST_CARDS;
  if (amount === null || !card) return undefined;
  // Created before every time that the shop lists payments from.
  const intent = newPaymentIntent({ id, amount, created: 0, description: null, metadata: {} });
  const charge = createCharge(store, { intent, card, now: 0 });
  return store.put("paymentIntents", {
    ...intent,
    amount_received: amount,
    latest_charge: charge.id,
    payment_method: card.alias,
    status: "succeeded",
  });
}
