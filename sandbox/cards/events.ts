import { missing } from "@/sandbox/cards/api-error";
import { STRIPE_API_VERSION } from "@/sandbox/cards/api-version";
import type { ApiCall } from "@/sandbox/cards/call";
import { newId } from "@/sandbox/cards/ids";
import { pageOf, type StripeList } from "@/sandbox/cards/list";
import type {
  StoredCharge,
  StoredEvent,
  StoredIntent,
  StoredRefund,
} from "@/sandbox/cards/records";
import type { Transaction } from "@/sandbox/cards/store";

type EventType =
  | `payment_intent.${"created" | "succeeded" | "payment_failed" | "requires_action" | "canceled"}`
  | `charge.${"succeeded" | "failed" | "refunded"}`
  | "refund.created";

/** Notes that something has happened, with the object as it now is. */
export function recordEvent(
  { tx, requestId, idempotencyKey, now }: ApiCall,
  {
    type,
    object,
    previous,
  }: {
    type: EventType;
    object: StoredIntent | StoredCharge | StoredRefund;
    /** What an update has changed, as it was before. */
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

/** As it was delivered, but for how many endpoints still wait for it. */
interface PresentedEvent {
  id: string;
  pending_webhooks: number;
}

function present(tx: Transaction, event: StoredEvent): PresentedEvent {
  const isPending = tx.get("deliveries", event.id) === undefined;
  return { ...(JSON.parse(event.json) as PresentedEvent), pending_webhooks: isPending ? 1 : 0 };
}

export function getEvent({ tx, id }: ApiCall): PresentedEvent {
  const event = tx.get("events", id);
  if (!event) throw missing({ what: "event", id, param: "id" });
  return present(tx, event);
}

export function listEvents({ tx, params }: ApiCall): StripeList<PresentedEvent> {
  const type = params.text("type");
  const types = params.list("types");
  const wanted = (event: StoredEvent) =>
    (type === undefined || matches(type, event.type)) &&
    (types.length === 0 || types.some((entry) => matches(entry, event.type)));
  const page = pageOf({
    rows: tx.list("events").filter(wanted),
    params,
    url: "/v1/events",
    what: "event",
  });
  return { ...page, data: page.data.map((event) => present(tx, event)) };
}

/** "payment_intent.*" stands for all of them. */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
