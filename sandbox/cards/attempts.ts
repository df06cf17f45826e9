import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { ApiError, documentationOf, type ErrorDetails } from "@/sandbox/cards/api-error";
import type { ApiCall } from "@/sandbox/cards/call";
import { adviceOf, newCharge } from "@/sandbox/cards/charges";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import { cardOf } from "@/sandbox/cards/payment-methods";
import type { StoredIntent, StoredMethod } from "@/sandbox/cards/records";
import type { Decline } from "@/sandbox/cards/test-cards";

// One attempt to take the money of a payment.

/** Where the browser sends what the buyer answered to their bank. */
export const AUTHENTICATION_PATH = "/v1/3ds2/authenticate";

const AUTHENTICATION_FAILED =
  "Nous ne pouvons pas authentifier votre moyen de paiement. Veuillez en choisir un autre et réessayer.";
const AUTHENTICATION_REQUIRED =
  "Votre carte a été refusée. Cette transaction nécessite une authentification.";

type Failure = Pick<ErrorDetails, "type" | "code" | "message"> & Partial<ErrorDetails>;

/** Back to the choice of a card, with the reason. */
function fail({
  call,
  intent,
  method,
  failure,
  charge = intent.latest_charge,
}: {
  call: ApiCall;
  intent: StoredIntent;
  method: StoredMethod;
  failure: Failure;
  charge?: string | null;
}): StoredIntent {
  const { code } = failure;
  const failed = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: {
      ...failure,
      ...(code ? { doc_url: documentationOf(code) } : {}),
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
  const advice = adviceOf(decline);
  return {
    type: "card_error",
    code: decline.code,
    message: decline.message,
    charge,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
    ...(advice ? { advice_code: advice } : {}),
  };
}

/** Asks the bank for the money. */
export function takeMoney({
  call,
  intent,
  method,
  isAuthenticated,
}: {
  call: ApiCall;
  intent: StoredIntent;
  method: StoredMethod;
  isAuthenticated: boolean;
}): StoredIntent {
  const { tx, now } = call;
  const { decline } = cardOf(method);
  const charge = tx.put("charges", newCharge({ intent, method, isAuthenticated, decline, now }));
  if (decline) {
    recordEvent(call, { type: "charge.failed", object: charge });
    const failure = failureOf({ decline, charge: charge.id });
    return fail({ call, intent, method, failure, charge: charge.id });
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

/** The bank wants to hear from the buyer first. */
function askBuyer({
  call,
  intent,
  method,
}: {
  call: ApiCall;
  intent: StoredIntent;
  method: StoredMethod;
}): StoredIntent {
  const waiting = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: null,
    next_action: {
      type: "use_stripe_sdk",
      use_stripe_sdk: {
        type: "stripe_3ds2_fingerprint",
        three_d_secure_2_source: newId("payatt"),
        server_transaction_id: randomUUID(),
        directory_server_name: cardOf(method).brand,
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
  intent: StoredIntent;
  method: StoredMethod;
}): boolean {
  const { authentication } = cardOf(method);
  const wish = intent.payment_method_options?.card?.request_three_d_secure;
  return (
    authentication === "required" ||
    (authentication === "optional" && (wish === "any" || wish === "challenge"))
  );
}

/**
 * Confirms a payment with a card: it succeeds, waits for the buyer's authentication, or fails and
 * waits for another card.
 *
 * @throws ApiError (402) of the failed attempt, which is kept
 */
export function attempt({
  call,
  intent,
  method,
  mayAskBuyer,
}: {
  call: ApiCall;
  intent: StoredIntent;
  method: StoredMethod;
  mayAskBuyer: boolean;
}): StoredIntent {
  const isAsking = needsAuthentication({ intent, method });
  if (isAsking && mayAskBuyer) return askBuyer({ call, intent, method });
  const after = isAsking
    ? fail({
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
    : takeMoney({ call, intent, method, isAuthenticated: false });
  if (after.status === "succeeded") return after;
  throw attemptError(after);
}

/** The answer to a failed attempt: the reason, with the payment as it is now. */
function attemptError(intent: StoredIntent): ApiError {
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

/** The buyer has said no, or their bank did. */
export function refuseAuthentication({
  call,
  intent,
  method,
}: {
  call: ApiCall;
  intent: StoredIntent;
  method: StoredMethod;
}): StoredIntent {
  return fail({
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

/** The authentication that a payment waits for; null where it waits for none. */
export function pendingSource(intent: Stripe.PaymentIntent): string | null {
  const source = intent.next_action?.use_stripe_sdk?.three_d_secure_2_source;
  return intent.status === "requires_action" && typeof source === "string" ? source : null;
}
