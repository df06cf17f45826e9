import type Stripe from "stripe";
import { STRIPE_API_VERSION } from "@/lib/payment-settings";
import { newId, nowInSeconds, type Tables } from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";

type EventObject = Tables["paymentIntents" | "charges" | "refunds" | "disputes"];

/** Records an event, with a snapshot of the object. */
export function recordEvent(store: Store, type: Stripe.Event["type"], object: EventObject): void {
  const id = newId("evt");
  const event = {
    id,
    object: "event",
    api_version: STRIPE_API_VERSION,
    created: nowInSeconds(),
    data: { object },
    livemode: false,
    type,
  };
  const subject = object.object === "payment_intent" ? object.id : object.payment_intent;
  store.put("events", { id, type, subject, json: JSON.stringify(event), delivery: "pending" });
}
