import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, docUrlOf, type ErrorDetails } from "@/sandbox/cards/api-error";
import { adviceCodeOf, newCharge } from "@/sandbox/cards/charges";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import { testCardOf } from "@/sandbox/cards/payment-methods";
import type { StoredPaymentIntent, StoredPaymentMethod } from "@/sandbox/cards/records";
import type { Decline } from "@/sandbox/cards/test-cards";

// One attempt to charge a payment intent.

/** Where the browser sends the outcome of the 3-D Secure authentication. */
export const AUTHENTICATION_PATH = "/v1/3ds2/authenticate";

const AUTHENTICATION_FAILED =
  "Nous ne pouvons pas authentifier votre moyen de paiement. Veuillez en choisir un autre et réessayer.";
const AUTHENTICATION_REQUIRED =
  "Votre carte a été refusée. Cette transaction nécessite une authentification.";

type Failure = Pick<ErrorDetails, "type" | "code" | "message"> & Partial<ErrorDetails>;

/** Sets `last_payment_error` and returns to `requires_payment_method`. */
function failPayment({
  call,
  intent,
  method,
  failure,
  charge = intent.latest_charge,
}: {
  call: ApiCall;
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
  failure: Failure;
  charge?: string | null;
}): StoredPaymentIntent {
  const { code } = failure;
  const failed = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: {
      ...failure,
      ...(code ? { doc_url: docUrlOf(code) } : {}),
      payment_method: method.object,
    },
    latest_charge: charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  recordEvent(call, { type: "payment_intent.payment_failed", object: failed });
  return failed;
}

function failureOf({ decline, charge }: { decline: Decline; charge: string }): Failure {
  const advice = adviceCodeOf(decline);
  return {
    type: "card_error",
    code: decline.code,
    message: decline.message,
    charge,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
    ...(advice ? { advice_code: advice } : {}),
  };
}

/** Creates the charge, which succeeds or is declined. */
export function chargePaymentMethod({
  call,
  intent,
  method,
  isAuthenticated,
}: {
  call: ApiCall;
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
  isAuthenticated: boolean;
}): StoredPaymentIntent {
  const { tx, now } = call;
  const { decline } = testCardOf(method);
  const charge = tx.put("charges", newCharge({ intent, method, isAuthenticated, decline, now }));
  if (decline) {
    recordEvent(call, { type: "charge.failed", object: charge });
    const failure = failureOf({ decline, charge: charge.id });
    return failPayment({ call, intent, method, failure, charge: charge.id });
  }
  const paid = tx.put("paymentIntents", {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: "succeeded",
  });
  recordEvent(call, { type: "charge.succeeded", object: charge });
  recordEvent(call, { type: "payment_intent.succeeded", object: paid });
  return paid;
}

/** The issuing bank requires authentication first. */
function requireAction({
  call,
  intent,
  method,
}: {
  call: ApiCall;
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
}): StoredPaymentIntent {
  const waiting = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: null,
    next_action: {
      type: "use_stripe_sdk",
      use_stripe_sdk: {
        type: "stripe_3ds2_fingerprint",
        three_d_secure_2_source: newId("payatt"),
        server_transaction_id: randomUUID(),
        directory_server_name: testCardOf(method).brand,
        merchant: "acct_sandbox",
        one_click_authn: null,
        authentication_path: AUTHENTICATION_PATH,
      },
    },
    payment_method: method.id,
    status: "requires_action",
  });
  recordEvent(call, { type: "payment_intent.requires_action", object: waiting });
  return waiting;
}

function needsAuthentication({
  intent,
  method,
}: {
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
}): boolean {
  const { authentication } = testCardOf(method);
  const requestThreeDSecure = intent.payment_method_options?.card?.request_three_d_secure;
  return (
    authentication === "required" ||
    (authentication === "optional" &&
      (requestThreeDSecure === "any" || requestThreeDSecure === "challenge"))
  );
}

/**
 * Confirms a payment intent: it succeeds, requires action, or fails and requires another payment
 * method.
 *
 * @throws ApiError (402) of the failed attempt, whose effects are kept
 */
export function attemptPayment({
  call,
  intent,
  method,
  mayRequireAction,
}: {
  call: ApiCall;
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
  mayRequireAction: boolean;
}): StoredPaymentIntent {
  const needsAction = needsAuthentication({ intent, method });
  if (needsAction && mayRequireAction) return requireAction({ call, intent, method });
  const after = needsAction
    ? failPayment({
        call,
        intent,
        method,
        failure: {
          type: "card_error",
          code: "authentication_required",
          decline_code: "authentication_required",
          message: AUTHENTICATION_REQUIRED,
        },
      })
    : chargePaymentMethod({ call, intent, method, isAuthenticated: false });
  if (after.status === "succeeded") return after;
  throw attemptError(after);
}

/** The error response of a failed attempt, with the payment intent. */
function attemptError(intent: StoredPaymentIntent): ApiError {
  const reason = intent.last_payment_error;
  if (!reason) throw new Error(`${intent.id} has no error`);
  const { doc_url: _documentation, ...details } = reason;
  return new ApiError({
    ...(details as Failure),
    payment_intent: intent,
    status: 402,
    isOutcome: true,
  });
}

/** The buyer's authentication failed. */
export function failAuthentication({
  call,
  intent,
  method,
}: {
  call: ApiCall;
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
}): StoredPaymentIntent {
  return failPayment({
    call,
    intent,
    method,
    failure: {
      type: "invalid_request_error",
      code: "payment_intent_authentication_failure",
      message: AUTHENTICATION_FAILED,
    },
  });
}

/** The pending authentication's id, or null. */
export function pendingThreeDSecureSource(intent: Stripe.PaymentIntent): string | null {
  const source = intent.next_action?.use_stripe_sdk?.three_d_secure_2_source;
  return intent.status === "requires_action" && typeof source === "string" ? source : null;
}
