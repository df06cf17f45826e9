import { newId } from "@/sandbox/cards/ids";
import type { StoredCharge, StoredPaymentIntent } from "@/sandbox/cards/records";
import type { TestCard } from "@/sandbox/cards/test-cards";

/** The charge of a payment attempt, succeeded or declined. */
export function newCharge({
  intent,
  card: { number, decline },
  now,
}: {
  intent: StoredPaymentIntent;
  card: TestCard;
  now: number;
}): StoredCharge {
  return {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    created: now,
    currency: intent.currency,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    paid: !decline,
    payment_intent: intent.id,
    payment_method_details: { type: "card", card: { last4: number.slice(-4) } },
    refunded: false,
    status: decline ? "failed" : "succeeded",
  };
}
