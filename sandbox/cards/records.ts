import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

// The stored records: the fields of Stripe's objects that the shop or a test reads, with relations as ids.

export interface StoredPaymentIntent
  extends Pick<
    Stripe.PaymentIntent,
    | "id"
    | "object"
    | "amount"
    | "amount_received"
    | "created"
    | "currency"
    | "description"
    | "metadata"
    | "status"
  > {
  client_secret: string;
  last_payment_error: { type: string; code: string; decline_code?: string; message: string } | null;
  latest_charge: string | null;
  next_action: {
    type: "use_stripe_sdk";
    use_stripe_sdk: { three_d_secure_2_source: string; authentication_path: string };
  } | null;
  /** The alias of the test card; card numbers are not stored. */
  payment_method: string | null;
}

export interface StoredCharge
  extends Pick<Stripe.Charge, "id" | "object" | "amount" | "created" | "currency" | "paid"> {
  payment_intent: string;
  payment_method_details: { type: "card"; card: { last4: string } };
}

export interface StoredRefund
  extends Pick<
    Stripe.Refund,
    "id" | "object" | "amount" | "created" | "currency" | "metadata" | "status"
  > {
  charge: string;
  failure_reason?: string;
  payment_intent: string;
}

export interface StoredDispute
  extends Pick<
      StoredRefund,
      "id" | "amount" | "charge" | "created" | "currency" | "payment_intent"
    >,
    Pick<Stripe.Dispute, "object" | "reason" | "status"> {}

export interface StoredEvent {
  id: string;
  type: string;
  /** The id of the payment intent that the event is about. */
  subject: string;
  /** The serialised event, so that every delivery attempt sends the same bytes. Empty once it is delivered or suppressed. */
  json: string;
  delivery: "pending" | "delivered" | "suppressed";
}

/** The response to a request with an idempotency key. */
export interface StoredResponse {
  /** The idempotency key. */
  id: string;
  path: string;
  /** Digest of the parameters. */
  fingerprint: string;
  status: number;
  body: string;
  /** Milliseconds since 1970. */
  savedAt: number;
}

export interface Tables {
  paymentIntents: StoredPaymentIntent;
  charges: StoredCharge;
  refunds: StoredRefund;
  disputes: StoredDispute;
  events: StoredEvent;
  answers: StoredResponse;
}

export type TableName = keyof Tables;

/** An id in Stripe's format, e.g. "pi_3f0a…". */
export const newId = (prefix: "pi" | "ch" | "re" | "dp" | "evt" | "req" | "payatt"): string =>
  `${prefix}_${randomBytes(12).toString("hex")}`;

/** Seconds since 1970, as everywhere in Stripe's API. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
