import { centsOfDemoPayment } from "@/lib/demo-payment";
import { newCharge } from "@/sandbox/cards/charges";
import { newClientSecret } from "@/sandbox/cards/ids";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";
import type { Transaction } from "@/sandbox/cards/store";
import { TEST_CARDS } from "@/sandbox/cards/test-cards";

/** Writes the payment of an order of the demonstration shop as if it had been made, when it is given back. */
export function demoPayment({
  tx,
  id,
}: {
  tx: Transaction;
  id: string;
}): StoredPaymentIntent | undefined {
  const amount = centsOfDemoPayment(id);
  const [card] = TEST_CARDS;
  if (amount === null || !card) return undefined;
  const intent: StoredPaymentIntent = {
    id,
    object: "payment_intent",
    amount,
    amount_received: amount,
    client_secret: newClientSecret(id),
    // Long before any event that the shop asks for.
    created: 0,
    currency: "eur",
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    payment_method: card.alias,
    status: "succeeded",
  };
  const charge = tx.put("charges", newCharge({ intent, card, now: 0 }));
  return tx.put("paymentIntents", { ...intent, latest_charge: charge.id });
}
