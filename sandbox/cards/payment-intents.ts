import { checkAmount } from "@/sandbox/cards/amounts";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { invalidParam, resourceMissing, unexpectedState } from "@/sandbox/cards/api-error";
import { recordEvent } from "@/sandbox/cards/events";
import { newClientSecret, newId } from "@/sandbox/cards/ids";
import { listPage } from "@/sandbox/cards/list-page";
import { attemptPayment, chargeCard, failAuthentication } from "@/sandbox/cards/payment-attempts";
import { cardOf, readCard } from "@/sandbox/cards/payment-methods";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";

const OPEN = ["requires_payment_method", "requires_action"];

function requireOpen(intent: StoredPaymentIntent, done: string): void {
  if (OPEN.includes(intent.status)) return;
  const message = `Ce paiement ne peut pas être ${done} : il est ${intent.status}.`;
  throw unexpectedState({ message, intent });
}

/**
 * The payment intent that the path names. With a publishable key its client secret is required.
 *
 * @throws ApiError 404 for an unknown one, 400 for a wrong client secret
 */
function requirePaymentIntent({ tx, id, params, caller }: ApiCall): StoredPaymentIntent {
  const intent = tx.get("paymentIntents", id);
  if (!intent) throw resourceMissing({ what: "payment_intent", id, param: "intent" });
  const secret =
    caller === "publishable" ? params.requiredText("client_secret") : params.text("client_secret");
  if (secret !== undefined && secret !== intent.client_secret)
    throw invalidParam({
      code: "payment_intent_invalid_parameter",
      message: "Le client_secret ne correspond pas à celui de ce paiement.",
      param: "client_secret",
    });
  return intent;
}

export function createPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx, now } = call;
  const amount = params.requiredInteger("amount");
  checkAmount(amount);
  params.requiredText("currency");
  const currency = params.oneOf("currency", ["eur"]) ?? "eur";
  const isConfirming = params.oneOf("confirm", ["true", "false"]) === "true";
  params.group("allowed_payment_method_types");
  const metadata = params.group("metadata");
  const card = readCard(call);
  params.rejectUnknown();
  const id = newId("pi");
  const intent = tx.put("paymentIntents", {
    id,
    object: "payment_intent",
    amount,
    amount_received: 0,
    client_secret: newClientSecret(id),
    created: now,
    currency,
    last_payment_error: null,
    latest_charge: null,
    metadata,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  recordEvent(call, { type: "payment_intent.created", object: intent });
  return isConfirming && card ? attemptPayment({ call, intent, card }) : intent;
}

export const retrievePaymentIntent = requirePaymentIntent;

export const listPaymentIntents = (call: ApiCall) =>
  listPage(call, { what: "payment_intent", all: call.tx.list("paymentIntents") });

/** Changes the amount of a payment that is still open. */
export function updatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx } = call;
  const before = requirePaymentIntent(call);
  const amount = params.requiredInteger("amount");
  checkAmount(amount);
  params.rejectUnknown();
  requireOpen(before, "modifié");
  // An authentication is for one amount.
  const status = "requires_payment_method";
  return tx.put("paymentIntents", { ...before, amount, next_action: null, status });
}

export function confirmPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params } = call;
  const intent = requirePaymentIntent(call);
  // Without effect: the sandbox's Stripe.js always authenticates within the page.
  params.text("use_stripe_sdk");
  params.text("return_url");
  const card = readCard(call);
  params.rejectUnknown();
  requireOpen(intent, "confirmé");
  if (!card)
    throw unexpectedState({
      message: "Ce paiement ne peut pas être confirmé : il lui manque un moyen de paiement.",
      intent,
    });
  return attemptPayment({ call, intent, card });
}

/** Completes a 3-D Secure authentication: the sandbox's dialog sends 'Autoriser' or 'Refuser'. */
export function authenticatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params } = call;
  const source = params.requiredText("source");
  const secret = params.requiredText("client_secret");
  params.requiredText("outcome");
  const outcome = params.oneOf("outcome", ["authorized", "refused"]);
  const intent = requirePaymentIntent({ ...call, id: secret.split("_secret_")[0] ?? "" });
  params.rejectUnknown();
  const expected = intent.next_action?.use_stripe_sdk.three_d_secure_2_source;
  if (intent.status !== "requires_action" || !intent.payment_method || expected !== source)
    throw unexpectedState({ message: "Cette authentification n'est plus attendue.", intent });
  const attempt = { call, intent, card: cardOf(intent.payment_method) };
  return outcome === "authorized" ? chargeCard(attempt) : failAuthentication(attempt);
}

export function cancelPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const before = requirePaymentIntent(call);
  call.params.rejectUnknown();
  requireOpen(before, "annulé");
  const canceled = call.tx.put("paymentIntents", {
    ...before,
    next_action: null,
    status: "canceled",
  });
  recordEvent(call, { type: "payment_intent.canceled", object: canceled });
  return canceled;
}

/** The attributes that a browser may see, without the shop's metadata. */
export function publicPaymentIntent({
  metadata: _metadata,
  latest_charge: _charge,
  amount_received: _received,
  ...shown
}: StoredPaymentIntent): Partial<StoredPaymentIntent> {
  return shown;
}
