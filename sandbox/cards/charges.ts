import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { resourceMissing } from "@/sandbox/cards/api-error";
import { newId } from "@/sandbox/cards/ids";
import { paginate, type StripeList } from "@/sandbox/cards/list";
import type {
  StoredCharge,
  StoredPaymentIntent,
  StoredPaymentMethod,
} from "@/sandbox/cards/records";
import type { Decline } from "@/sandbox/cards/test-cards";

/** Advice codes by decline code. */
const ADVICE_CODES: Readonly<Record<string, string>> = {
  generic_decline: "try_again_later",
  insufficient_funds: "try_again_later",
  card_velocity_exceeded: "try_again_later",
  lost_card: "do_not_try_again",
  stolen_card: "do_not_try_again",
};

export function adviceCodeOf({ declineCode = "" }: Decline): string | null {
  return ADVICE_CODES[declineCode] ?? null;
}

function outcomeOf(decline: Decline | null): Stripe.Charge.Outcome {
  if (!decline)
    return {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: "approved_by_network",
      reason: null,
      risk_level: "normal",
      seller_message: "Paiement accepté.",
      type: "authorized",
    };
  const isBlocked = decline.declineCode === "fraudulent";
  return {
    advice_code: adviceCodeOf(decline),
    network_advice_code: null,
    network_decline_code: isBlocked ? null : "05",
    network_status: isBlocked ? "not_sent_to_network" : "declined_by_network",
    reason: isBlocked ? "highest_risk_level" : (decline.declineCode ?? decline.code),
    risk_level: isBlocked ? "highest" : "normal",
    seller_message: isBlocked ? "Paiement bloqué." : "La banque a refusé le paiement.",
    type: isBlocked ? "blocked" : "issuer_declined",
  };
}

function cardDetails({
  method,
  amount,
  isAuthenticated,
  decline,
}: {
  method: Stripe.PaymentMethod;
  amount: number;
  isAuthenticated: boolean;
  decline: Decline | null;
}): Stripe.Charge.PaymentMethodDetails.Card {
  const { card } = method;
  if (!card) throw new Error(`${method.id} is no card`);
  const isCvcGiven = card.checks?.cvc_check !== null;
  return {
    amount_authorized: decline ? null : amount,
    authorization_code: decline ? null : "123456",
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check:
        decline?.code === "incorrect_cvc" ? "fail" : isCvcGiven && !decline ? "pass" : null,
    },
    country: card.country,
    electronic_commerce_indicator: isAuthenticated ? "05" : null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: decline ? null : "123456789012345",
    regulated_status: "unregulated",
    three_d_secure: isAuthenticated
      ? {
          authentication_flow: "challenge",
          electronic_commerce_indicator: "05",
          exemption_indicator: null,
          result: "authenticated",
          result_reason: null,
          transaction_id: randomUUID(),
          version: "2.2.0",
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  };
}

/** The charge of a payment attempt, succeeded or declined. */
export function newCharge({
  intent,
  method,
  isAuthenticated,
  decline,
  now,
}: {
  intent: StoredPaymentIntent;
  method: StoredPaymentMethod;
  isAuthenticated: boolean;
  decline: Decline | null;
  now: number;
}): StoredCharge {
  const { amount, currency, description, metadata, receipt_email, shipping } = intent;
  return {
    id: newId("ch"),
    object: "charge",
    amount,
    amount_captured: decline ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.object.billing_details,
    calculated_statement_descriptor: "MINI ECOMMERCE",
    captured: !decline,
    created: now,
    currency,
    customer: null,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...metadata },
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: cardDetails({ method: method.object, amount, isAuthenticated, decline }),
      type: "card",
    },
    receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

export function retrieveCharge({ tx, id }: ApiCall): StoredCharge {
  const charge = tx.get("charges", id);
  if (!charge) throw resourceMissing({ what: "charge", id, param: "id" });
  return charge;
}

export function listCharges({ tx, params }: ApiCall): StripeList<StoredCharge> {
  const intent = params.text("payment_intent");
  const rows = tx
    .list("charges")
    .filter((charge) => intent === undefined || charge.payment_intent === intent);
  return paginate({ rows, params, url: "/v1/charges", what: "charge" });
}
