import type { ApiCall } from "@/sandbox/cards/api-call";
import { resourceMissing } from "@/sandbox/cards/api-error";
import { STRIPE_API_VERSION } from "@/sandbox/cards/api-version";
import { newId } from "@/sandbox/cards/ids";
import { paginate, type StripeList } from "@/sandbox/cards/list";
import type {
  StoredCharge,
  StoredEvent,
  StoredPaymentIntent,
  StoredRefund,
} from "@/sandbox/cards/records";
import type { Transaction } from "@/sandbox/cards/store";

type EventType =
  | `payment_intent.${"created" | "succeeded" | "payment_failed" | "requires_action" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | "refund.created";

/** Records an event, with a snapshot of the object. */
export function recordEvent(
  { tx, requestId, idempotencyKey, now }: ApiCall,
  {
    type,
    object,
    previous,
  }: {
    type: EventType;
    object: StoredPaymentIntent | StoredCharge | StoredRefund;
    /** The former values of changed attributes. */
    previous?: Record<string, unknown>;
  },
): void {
  const id = newId("evt");
  const event = {
    id,
    object: "event",
    api_version: STRIPE_API_VERSION,
    created: now,
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: requestId, idempotency_key: idempotencyKey },
    type,
  };
  const subject = object.object === "payment_intent" ? object.id : object.payment_intent;
  tx.put("events", { id, type, created: now, subject, json: JSON.stringify(event) });
}

/** As delivered, with the current number of webhooks still pending. */
interface PresentedEvent {
  id: string;
  pending_webhooks: number;
}

function presentEvent(tx: Transaction, event: StoredEvent): PresentedEvent {
  const isPending = tx.get("deliveries", event.id) === undefined;
  return { ...(JSON.parse(event.json) as PresentedEvent), pending_webhooks: isPending ? 1 : 0 };
}

export function retrieveEvent({ tx, id }: ApiCall): PresentedEvent {
  const event = tx.get("events", id);
  if (!event) throw resourceMissing({ what: "event", id, param: "id" });
  return presentEvent(tx, event);
}

export function listEvents({ tx, params }: ApiCall): StripeList<PresentedEvent> {
  const type = params.text("type");
  const types = params.list("types");
  const wanted = (event: StoredEvent) =>
    (type === undefined || matches(type, event.type)) &&
    (types.length === 0 || types.some((entry) => matches(entry, event.type)));
  const page = paginate({
    rows: tx.list("events").filter(wanted),
    params,
    url: "/v1/events",
    what: "event",
  });
  return { ...page, data: page.data.map((event) => presentEvent(tx, event)) };
}

/** A pattern may end in a wildcard: "payment_intent.*". */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
