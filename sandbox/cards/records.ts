import type Stripe from "stripe";

// The stored records: Stripe's objects, with relations as ids.

export interface StoredPaymentIntent extends Stripe.PaymentIntent {
  client_secret: string;
  latest_charge: string | null;
  payment_method: string | null;
}

export interface StoredCharge extends Stripe.Charge {
  payment_intent: string;
  payment_method: string;
}

export interface StoredRefund extends Stripe.Refund {
  charge: string;
  payment_intent: string;
}

export interface StoredPaymentMethod {
  id: string;
  /** The name of its test card; card numbers are not stored. */
  card: string;
  object: Stripe.PaymentMethod;
}

export interface StoredEvent {
  id: string;
  type: string;
  /** Seconds since 1970, as everywhere in Stripe's API. */
  created: number;
  /** The id of the payment intent that it concerns. */
  subject: string;
  /** The serialised event: every delivery attempt sends the same bytes. */
  json: string;
}

/** The final outcome of an event's delivery. */
export interface StoredDelivery {
  /** The event's id. */
  id: string;
  outcome: "delivered" | "suppressed" | "given-up";
}

/** The response to a request with an idempotency key. */
export interface StoredResponse {
  /** The key. */
  id: string;
  path: string;
  /** Digest of the parameters. */
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Milliseconds since 1970. */
  savedAt: number;
}

export interface Tables {
  paymentIntents: StoredPaymentIntent;
  charges: StoredCharge;
  refunds: StoredRefund;
  paymentMethods: StoredPaymentMethod;
  events: StoredEvent;
  deliveries: StoredDelivery;
  answers: StoredResponse;
}

export type TableName = keyof Tables;

/** A record that was created or replaced. */
export type Change = { [T in TableName]: readonly [table: T, record: Tables[T]] }[TableName];
