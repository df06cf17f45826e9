import type Stripe from "stripe";

// What is kept. The objects are those of the API, with their relations as ids.

export interface StoredIntent extends Stripe.PaymentIntent {
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

export interface StoredMethod {
  id: string;
  /** The name of its test card: how it behaves. Card numbers are not kept. */
  card: string;
  object: Stripe.PaymentMethod;
}

export interface StoredEvent {
  id: string;
  type: string;
  /** Seconds since 1970, as everywhere in Stripe's API. */
  created: number;
  /** The PaymentIntent that it is about. */
  subject: string;
  /** The event as text, once and for all: a retry sends the same bytes. */
  json: string;
}

/** That an event needs no further delivery. */
export interface StoredDelivery {
  /** The event's id. */
  id: string;
  outcome: "delivered" | "suppressed" | "given-up";
}

/** The answer to a request that came with an idempotency key. */
export interface StoredAnswer {
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
  paymentIntents: StoredIntent;
  charges: StoredCharge;
  refunds: StoredRefund;
  paymentMethods: StoredMethod;
  events: StoredEvent;
  deliveries: StoredDelivery;
  answers: StoredAnswer;
}

export type TableName = keyof Tables;

/** One change: the record as it is from now on. */
export type Change = { [T in TableName]: readonly [table: T, record: Tables[T]] }[TableName];
