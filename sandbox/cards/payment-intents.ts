import type Stripe from "stripe";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { invalidParam, resourceMissing, unexpectedState } from "@/sandbox/cards/api-error";
import { checkAmount } from "@/sandbox/cards/currencies";
import { recordEvent } from "@/sandbox/cards/events";
import { newClientSecret, newId } from "@/sandbox/cards/ids";
import { paginate, type StripeList } from "@/sandbox/cards/list";
import {
  attemptPayment,
  chargePaymentMethod,
  failAuthentication,
  pendingThreeDSecureSource,
} from "@/sandbox/cards/payment-attempts";
import { readConfirmationDetails, readDetails } from "@/sandbox/cards/payment-intent-details";
import { readPaymentMethod } from "@/sandbox/cards/payment-methods";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";

const CANCELLATION_REASONS = [
  "abandoned",
  "duplicate",
  "fraudulent",
  "requested_by_customer",
] as const;

const OPEN = ["requires_payment_method", "requires_confirmation", "requires_action"];

/**
 * The payment intent that the path names. With a publishable key its client secret is required.
 *
 * @throws ApiError 404 for an unknown one, 400 for a wrong client secret
 */
function requirePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { tx, id, params, caller } = call;
  const intent = tx.get("paymentIntents", id);
  const secret = params.text("client_secret");
  if (!intent) throw resourceMissing({ what: "payment_intent", id, param: "intent" });
  if (caller === "publishable" && secret === undefined)
    throw invalidParam({
      code: "parameter_missing",
      message: "Avec une clé publique, client_secret est obligatoire.",
      param: "client_secret",
    });
  if (secret !== undefined && secret !== intent.client_secret)
    throw invalidParam({
      code: "payment_intent_invalid_parameter",
      message: "Le client_secret ne correspond pas à celui de ce paiement.",
      param: "client_secret",
    });
  return intent;
}

function readConfirmation({ params }: ApiCall): { mayRequireAction: boolean } {
  const isOffSession = params.boolean("off_session") ?? false;
  const isErrorOnAction = params.boolean("error_on_requires_action") ?? false;
  // Accepted without effect: the sandbox's Stripe.js always authenticates within the page.
  params.text("return_url");
  params.boolean("use_stripe_sdk");
  return { mayRequireAction: !isOffSession && !isErrorOnAction };
}

export function createPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx, now } = call;
  const amount = params.requiredInteger("amount");
  const currency = params.requiredText("currency").toLowerCase();
  checkAmount({ amount, currency });
  const isConfirming = params.boolean("confirm") ?? false;
  const confirmation = readConfirmation(call);
  const confirmationMethod =
    params.oneOf("confirmation_method", ["automatic", "manual"]) ?? "automatic";
  const automatic = params.hash("automatic_payment_methods");
  const isAutomatic = automatic?.boolean("enabled") ?? true;
  const redirects = automatic?.oneOf("allow_redirects", ["always", "never"]) ?? "always";
  const id = newId("pi");
  const details = readDetails(call, null);
  const method = readPaymentMethod(call);
  params.rejectUnknown();
  if (isConfirming && !method)
    throw invalidParam({
      code: "parameter_missing",
      message: "Pour confirmer aussitôt, il faut donner un moyen de paiement.",
      param: "payment_method",
    });

  const intent = tx.put("paymentIntents", {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: isAutomatic ? { allow_redirects: redirects, enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: newClientSecret(id),
    confirmation_method: confirmationMethod,
    created: now,
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: method?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: "automatic",
      },
    },
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: method ? "requires_confirmation" : "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
    ...details,
  });
  recordEvent(call, { type: "payment_intent.created", object: intent });
  return isConfirming && method
    ? attemptPayment({ call, intent, method, ...confirmation })
    : intent;
}

export function retrievePaymentIntent(call: ApiCall): StoredPaymentIntent {
  return requirePaymentIntent(call);
}

export function listPaymentIntents({ tx, params }: ApiCall): StripeList<StoredPaymentIntent> {
  return paginate({
    rows: tx.list("paymentIntents"),
    params,
    url: "/v1/payment_intents",
    what: "payment_intent",
  });
}

export function updatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx } = call;
  const before = requirePaymentIntent(call);
  const amount = params.integer("amount") ?? before.amount;
  const currency = params.text("currency")?.toLowerCase() ?? before.currency;
  checkAmount({ amount, currency });
  const details = readDetails(call, before);
  const method = readPaymentMethod(call);
  params.rejectUnknown();

  const isOpen = OPEN.includes(before.status);
  for (const name of ["amount", "currency", "payment_method", "payment_method_data"]) {
    if (!params.has(name) || isOpen) continue;
    throw unexpectedState({
      message: `${name} ne peut plus être modifié : ce paiement est ${before.status}. C'est possible tant qu'il est ${OPEN.join(", ")}.`,
      intent: before,
    });
  }
  if (!isOpen) return tx.put("paymentIntents", { ...before, ...details });

  const after = { ...before, ...details, amount, currency };
  if (method) after.payment_method = method.id;
  // An authentication is for one amount and one payment method: a change invalidates it.
  const needsNewConfirmation = method || amount !== before.amount || currency !== before.currency;
  if (needsNewConfirmation) {
    after.next_action = null;
    after.status = after.payment_method ? "requires_confirmation" : "requires_payment_method";
  }
  return tx.put("paymentIntents", { ...after, last_payment_error: null });
}

export function confirmPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx } = call;
  const before = requirePaymentIntent(call);
  const confirmation = readConfirmation(call);
  const details = readConfirmationDetails(call, before);
  const given = readPaymentMethod(call);
  params.rejectUnknown();

  if (before.status === "succeeded")
    throw unexpectedState({
      message: "Ce paiement ne peut pas être confirmé : il a déjà réussi.",
      intent: before,
    });
  if (!OPEN.includes(before.status))
    throw unexpectedState({
      message: `Ce paiement ne peut pas être confirmé : il est ${before.status}.`,
      intent: before,
    });
  const kept = before.payment_method ? tx.get("paymentMethods", before.payment_method) : undefined;
  const method = given ?? kept;
  if (!method)
    throw unexpectedState({
      message:
        "Ce paiement ne peut pas être confirmé : il lui manque un moyen de paiement. Donnez-le avec la confirmation.",
      intent: before,
    });
  return attemptPayment({ call, intent: { ...before, ...details }, method, ...confirmation });
}

/** Completes a 3-D Secure authentication: the sandbox's dialog sends 'Autoriser' or 'Refuser'. */
export function authenticatePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx } = call;
  const source = params.requiredText("source");
  const secret = params.requiredText("client_secret");
  params.requiredText("outcome");
  const outcome = params.oneOf("outcome", ["authorized", "refused"]);
  const intent = requirePaymentIntent({ ...call, id: secret.split("_secret_")[0] ?? "" });
  params.rejectUnknown();
  const method = intent.payment_method && tx.get("paymentMethods", intent.payment_method);
  if (!method || pendingThreeDSecureSource(intent) !== source)
    throw unexpectedState({ message: "Cette authentification n'est plus attendue.", intent });
  return outcome === "authorized"
    ? chargePaymentMethod({ call, intent, method, isAuthenticated: true })
    : failAuthentication({ call, intent, method });
}

export function cancelPaymentIntent(call: ApiCall): StoredPaymentIntent {
  const { params, tx, now } = call;
  const before = requirePaymentIntent(call);
  const reason = params.oneOf("cancellation_reason", CANCELLATION_REASONS) ?? null;
  params.rejectUnknown();
  if (!OPEN.includes(before.status))
    throw unexpectedState({
      message: `Ce paiement ne peut pas être annulé : il est ${before.status}. C'est possible tant qu'il est ${OPEN.join(", ")}.`,
      intent: before,
    });
  const canceled = tx.put("paymentIntents", {
    ...before,
    canceled_at: now,
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  });
  recordEvent(call, { type: "payment_intent.canceled", object: canceled });
  return canceled;
}

/** Always refused: payment intents are captured when they succeed. */
export function capturePaymentIntent(call: ApiCall): StoredPaymentIntent {
  const intent = requirePaymentIntent(call);
  throw unexpectedState({
    message: `Ce paiement ne peut pas être encaissé : il est ${intent.status}, et non requires_capture.`,
    intent,
  });
}

/** The attributes that a browser may see, without the shop's metadata. */
export function publicPaymentIntent(intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> {
  return {
    id: intent.id,
    object: intent.object,
    amount: intent.amount,
    automatic_payment_methods: intent.automatic_payment_methods,
    canceled_at: intent.canceled_at,
    cancellation_reason: intent.cancellation_reason,
    capture_method: intent.capture_method,
    client_secret: intent.client_secret,
    confirmation_method: intent.confirmation_method,
    created: intent.created,
    currency: intent.currency,
    description: intent.description,
    last_payment_error: intent.last_payment_error,
    livemode: intent.livemode,
    next_action: intent.next_action,
    payment_method: intent.payment_method,
    payment_method_types: intent.payment_method_types,
    processing: intent.processing,
    receipt_email: intent.receipt_email,
    setup_future_usage: intent.setup_future_usage,
    shipping: intent.shipping,
    source: intent.source,
    status: intent.status,
  };
}
