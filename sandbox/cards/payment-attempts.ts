import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError } from "@/sandbox/cards/api-error";
import { newCharge } from "@/sandbox/cards/charges";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";
import type { TestCard } from "@/sandbox/cards/test-cards";

// One attempt to charge a payment intent.

/** Where the browser sends the outcome of the 3-D Secure authentication. */
export const AUTHENTICATION_PATH = "/v1/3ds2/authenticate";

interface Attempt {
  call: ApiCall;
  intent: StoredPaymentIntent;
  card: TestCard;
}

/** Sets `last_payment_error` and returns to `requires_payment_method`. */
function failPayment(
  { call, intent }: Attempt,
  {
    failure,
    charge = intent.latest_charge,
  }: {
    failure: NonNullable<StoredPaymentIntent["last_payment_error"]>;
    charge?: string | null;
  },
): StoredPaymentIntent {
  const failed = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: failure,
    latest_charge: charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  recordEvent(call, { type: "payment_intent.payment_failed", object: failed });
  return failed;
}

/** Creates the charge, which succeeds or is declined. */
export function chargeCard(attempt: Attempt): StoredPaymentIntent {
  const { call, intent, card } = attempt;
  const { tx, now } = call;
  const charge = tx.put("charges", newCharge({ intent, card, now }));
  if (card.decline) {
    const { code, declineCode, message } = card.decline;
    recordEvent(call, { type: "charge.failed", object: charge });
    const failure = {
      type: "card_error",
      code,
      message,
      ...(declineCode && { decline_code: declineCode }),
    };
    return failPayment(attempt, { failure, charge: charge.id });
  }
  const paid = tx.put("paymentIntents", {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: card.alias,
    status: "succeeded",
  });
  recordEvent(call, { type: "charge.succeeded", object: charge });
  recordEvent(call, { type: "payment_intent.succeeded", object: paid });
  return paid;
}

/** The issuing bank requires authentication first. */
function requireAction({ call, intent, card }: Attempt): StoredPaymentIntent {
  const waiting = call.tx.put("paymentIntents", {
    ...intent,
    last_payment_error: null,
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
  recordEvent(call, { type: "payment_intent.requires_action", object: waiting });
  return waiting;
}

/**
 * Confirms a payment intent: it succeeds, requires action, or fails and requires another payment
 * method.
 *
 * @throws ApiError (402) of the failed attempt, whose effects are kept
 */
export function attemptPayment(attempt: Attempt): StoredPaymentIntent {
  if (attempt.card.needsAuthentication) return requireAction(attempt);
  const after = chargeCard(attempt);
  if (after.last_payment_error === null) return after;
  throw new ApiError({
    ...after.last_payment_error,
    type: "card_error",
    payment_intent: after,
    status: 402,
    isOutcome: true,
  });
}

/** The buyer's authentication failed. */
export function failAuthentication(attempt: Attempt): StoredPaymentIntent {
  const message =
    "Nous ne pouvons pas authentifier votre moyen de paiement. Veuillez en choisir un autre et réessayer.";
  const code = "payment_intent_authentication_failure";
  return failPayment(attempt, { failure: { type: "invalid_request_error", code, message } });
}
