import { checkAmount } from "@/sandbox/cards/amounts";
import { ApiError, invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import { createCharge, newPaymentIntent } from "@/sandbox/cards/charges";
import { recordEvent } from "@/sandbox/cards/events";
import { listPage } from "@/sandbox/cards/list-page";
import type { ApiCall, Params } from "@/sandbox/cards/params";
import { cardCalled, readCard } from "@/sandbox/cards/payment-methods";
import { newId, nowInSeconds, type StoredPaymentIntent } from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";
import type { TestCard } from "@/sandbox/cards/test-cards";

/** Where the browser sends the outcome of the 3-D Secure authentication. */
export const AUTHENTICATION_PATH = "/v1/3ds2/authenticate";

/** The error for an operation that the payment intent's status does not allow. */
function unexpectedState(intent: StoredPaymentIntent, message: string): ApiError {
  return new ApiError({
    code: "payment_intent_unexpected_state",
    message,
    payment_intent: intent,
    isExecuted: true,
  });
}

function requireOpen(intent: StoredPaymentIntent, done: string): void {
  if (intent.status !== "requires_payment_method" && intent.status !== "requires_action")
    throw unexpectedState(
      intent,
      `Ce paiement ne peut pas être ${done} : il est ${intent.status}.`,
    );
}

/**
 * The payment intent whose id is in the path. A browser must send its client secret.
 *
 * @throws ApiError 404 for an unknown payment intent, 400 for a wrong client secret
 */
export function requirePaymentIntent({ store, id, params, isShop }: ApiCall): StoredPaymentIntent {
  const intent = store.get("paymentIntents", id);
  if (!intent) throw resourceMissing(id, "intent");
  if (!isShop && params.requiredText("client_secret") !== intent.client_secret)
    throw invalidParam("client_secret", "Le client_secret n'est pas celui de ce paiement.");
  return intent;
}

export function createPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, store } = call;
  const amount = params.requiredInteger("amount");
  checkAmount(amount);
  params.requiredText("currency");
  params.oneOf("currency", ["eur"]);
  const isConfirming = params.oneOf("confirm", ["true", "false"]) === "true";
  const description = params.text("description") || null;
  const metadata = params.group("metadata");
  const card = readCard(params);
  const created = nowInSeconds();
  const intent = newPaymentIntent({ id: newId("pi"), amount, created, description, metadata });
  store.put("paymentIntents", intent);
  recordEvent(store, "payment_intent.created", intent);
  return isConfirming && card ? attemptPayment(store, { intent, card }) : intent;
}

export function listPaymentIntents(call: ApiCall) {
  const { params, store } = call;
  // The sandbox has no customers: a filter by customer matches nothing.
  const isOfCustomer = params.text("customer") ?? params.text("customer_account");
  return listPage(call, {
    what: "payment_intent",
    all: isOfCustomer ? [] : store.list("paymentIntents"),
  });
}

/** Changes description and metadata of a payment, and the amount of an open payment. */
export function updatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, store } = call;
  const before = requirePaymentIntent(call);
  params.oneOf("currency", ["eur"]);
  const description = (params.text("description") ?? before.description) || null;
  const intent = { ...before, description, metadata: changedMetadata(params, before) };
  const amount = params.integer("amount");
  if (amount === undefined) return store.put("paymentIntents", intent);
  checkAmount(amount);
  requireOpen(before, "modifié");
  // A changed amount requires a new authentication.
  const status = "requires_payment_method";
  return store.put("paymentIntents", { ...intent, amount, next_action: null, status });
}

/** Sent keys are added or replaced; an empty value removes its key; an empty `metadata` removes all keys. */
function changedMetadata(params: Params, { metadata }: StoredPaymentIntent) {
  if (params.text("metadata") === "") return {};
  const merged = { ...metadata, ...params.group("metadata") };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}

export function confirmPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, store } = call;
  const intent = requirePaymentIntent(call);
  const card = readCard(params);
  requireOpen(intent, "confirmé");
  if (!card)
    throw unexpectedState(
      intent,
      "Ce paiement ne peut pas être confirmé : il lui manque un moyen de paiement.",
    );
  return attemptPayment(store, { intent, card });
}

/** Completes a 3-D Secure authentication: the sandbox's dialog sends 'Autoriser' or 'Refuser'. */
export function authenticatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, store } = call;
  const source = params.requiredText("source");
  const secret = params.requiredText("client_secret");
  params.requiredText("outcome");
  const outcome = params.oneOf("outcome", ["authorized", "refused"]);
  const intent = requirePaymentIntent({ ...call, id: secret.split("_secret_")[0] ?? "" });
  const card = cardCalled(intent.payment_method);
  const expected = intent.next_action?.use_stripe_sdk.three_d_secure_2_source;
  if (!card || expected !== source)
    throw unexpectedState(intent, "Cette authentification n'est plus attendue.");
  if (outcome === "authorized") return chargeCard(store, { intent, card });
  return failPayment(store, intent, {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    message:
      "Nous ne pouvons pas authentifier votre moyen de paiement. Veuillez en choisir un autre et réessayer.",
  });
}

export function cancelPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { store } = call;
  const before = requirePaymentIntent(call);
  requireOpen(before, "annulé");
  return change(store, before, { event: "canceled", status: "canceled" });
}

interface Attempt {
  intent: StoredPaymentIntent;
  card: TestCard;
}

/**
 * Confirms a payment intent: it succeeds, requires action, or fails and requires another payment method.
 *
 * @throws ApiError (402) for a failed attempt, whose effects are kept
 */
function attemptPayment(store: Store, { intent, card }: Attempt): StoredPaymentIntent {
  if (card.needsAuthentication)
    return change(store, intent, {
      event: "requires_action",
      next_action: {
        type: "use_stripe_sdk",
        use_stripe_sdk: {
          three_d_secure_2_source: newId("payatt"),
          authentication_path: AUTHENTICATION_PATH,
        },
      },
      payment_method: card.alias,
      status: "requires_action",
    });
  const after = chargeCard(store, { intent, card });
  if (after.last_payment_error === null) return after;
  throw new ApiError({
    ...after.last_payment_error,
    type: "card_error",
    payment_intent: after,
    status: 402,
    isExecuted: true,
  });
}

/** Creates the charge, which succeeds or is declined. */
function chargeCard(store: Store, { intent, card }: Attempt): StoredPaymentIntent {
  const charge = createCharge(store, { intent, card, now: nowInSeconds() });
  const charged = { ...intent, latest_charge: charge.id };
  if (card.decline) {
    recordEvent(store, "charge.failed", charge);
    return failPayment(store, charged, { type: "card_error", ...card.decline });
  }
  recordEvent(store, "charge.succeeded", charge);
  return change(store, charged, {
    event: "succeeded",
    amount_received: intent.amount,
    payment_method: card.alias,
    status: "succeeded",
  });
}

function failPayment(
  store: Store,
  intent: StoredPaymentIntent,
  failure: StoredPaymentIntent["last_payment_error"],
): StoredPaymentIntent {
  return change(store, intent, {
    event: "payment_failed",
    last_payment_error: failure,
    payment_method: null,
    status: "requires_payment_method",
  });
}

/** Changes a payment intent, clears the previous attempt's result, and records the event. */
function change(
  store: Store,
  intent: StoredPaymentIntent,
  {
    event,
    ...changes
  }: Partial<StoredPaymentIntent> & {
    event: "canceled" | "payment_failed" | "requires_action" | "succeeded";
  },
): StoredPaymentIntent {
  const former = { ...intent, last_payment_error: null, next_action: null };
  const changed = store.put("paymentIntents", { ...former, ...changes });
  recordEvent(store, `payment_intent.${event}`, changed);
  return changed;
}
