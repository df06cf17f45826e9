import { STRIPE_API_VERSION } from "@/lib/payment-provider";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { newId } from "@/sandbox/cards/ids";
import type {
  StoredCharge,
  StoredDispute,
  StoredPaymentIntent,
  StoredRefund,
} from "@/sandbox/cards/records";

type EventType =
  | `payment_intent.${"created" | "succeeded" | "payment_failed" | "requires_action" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | `charge.dispute.${"created" | "closed"}`
  | `refund.${"created" | "updated" | "failed"}`;

/** The call that it comes from. */
type EventCause = Pick<ApiCall, "tx" | "requestId" | "idempotencyKey" | "now">;

/** Records an event, with a snapshot of the object. */
export function recordEvent(
  { tx, requestId, idempotencyKey, now }: EventCause,
  {
    type,
    object,
  }: { type: EventType; object: StoredPaymentIntent | StoredCharge | StoredRefund | StoredDispute },
): void {
  const id = newId("evt");
  const event = {
    id,
    object: "event",
    api_version: STRIPE_API_VERSION,
    created: now,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: requestId, idempotency_key: idempotencyKey },
    type,
  };
  const subject = object.object === "payment_intent" ? object.id : object.payment_intent;
  tx.put("events", { id, type, created: now, subject, json: JSON.stringify(event) });
}

/** A pattern may end in a wildcard: "payment_intent.*". */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
