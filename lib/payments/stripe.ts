import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { z } from "zod";
import { siteUrl } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { paymentProvider } from "@/lib/payment-provider";
import { SHOP_NAME } from "@/lib/shop-name";
import { callProvider, hasCode, stripe, unexpectedAnswer } from "./provider";
import { type PaymentState, paymentState } from "./rules";

/** When a payment is opened, the provider answers 409 while it handles the same call of another instance. */
const OPENING_MAX_RETRIES = 2;

/** A payment at the provider, as far as the shop cares. */
export interface Payment {
  id: string;
  clientSecret: string;
  state: PaymentState;
  currency: string;
  amountCents: number;
  /** What has been taken; 0 before it is paid. */
  receivedCents: number;
  refundedCents: number;
  /** When the money was taken, else when the payment was opened. */
  paidAt: Date;
  /** Of which checkout; null for a payment that is not the shop's. */
  checkoutId: string | null;
}

export interface PaymentEvent {
  id: string;
  type: string;
  /** Which payment it is about; null for events about something else. */
  paymentId: string | null;
  /** It is about a refund of the payment, or a dispute. */
  isRefund: boolean;
}

/** What the shop relies on in a response about a payment. */
const intentSchema = z.object({
  id: z.string().min(1),
  client_secret: z.string().nullish(),
  status: z.string(),
  currency: z.string(),
  amount: z.int().min(0),
  amount_received: z.int().min(0),
  created: z.int(),
  metadata: z.record(z.string(), z.string()),
  latest_charge: z
    .union([z.string(), z.object({ amount_refunded: z.int().min(0), created: z.int() })])
    .nullish(),
});

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string().min(1),
      object: z.string(),
      payment_intent: z.string().nullish().catch(null),
    }),
  }),
});

/**
 * Opens the payment of a checkout. The checkout's id is the idempotency key: however often and from
 * wherever it is called, there is one payment.
 *
 * @throws 503 where the provider is unavailable or answers with another payment; `ProviderRefusal`
 *   where it answers with a failure, which it would repeat for this key
 */
export async function openPayment(checkout: {
  id: string;
  totalCents: number;
  buyerEmail: string;
}): Promise<Payment> {
  return callProvider(async () => {
    const intent = await stripe().paymentIntents.create(
      {
        amount: checkout.totalCents,
        currency: "eur",
        allowed_payment_method_types: ["card"],
        // Not `receipt_email`, to which the provider would send a mail of its own.
        description: `${SHOP_NAME} – ${checkout.buyerEmail}`,
        metadata: { checkout: checkout.id, shop: siteUrl(), email: checkout.buyerEmail },
      },
      { idempotencyKey: `checkout:${checkout.id}`, maxNetworkRetries: OPENING_MAX_RETRIES },
    );
    const payment = paymentOf(intent);
    if (payment.checkoutId !== checkout.id) throw unexpectedAnswer(intent);
    return payment;
  });
}

/**
 * Writes to a paid payment which order it has become.
 *
 * @throws 503 where the provider is unavailable; `ProviderRefusal` where it answers with a failure
 */
export async function namePayment({
  id,
  orderNumber,
  email,
}: {
  id: string;
  orderNumber: string;
  email: string;
}): Promise<void> {
  await callProvider(() =>
    stripe().paymentIntents.update(id, {
      description: `${SHOP_NAME} – commande ${orderNumber} – ${email}`,
      metadata: { order: orderNumber, email },
    }),
  );
}

/**
 * @returns null where the provider knows no such payment
 * @throws 503 where the provider is unavailable
 */
export async function getPayment(id: string): Promise<Payment | null> {
  return callProvider(async () => {
    try {
      const intent = await stripe().paymentIntents.retrieve(id, { expand: ["latest_charge"] });
      return paymentOf(intent, id);
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

/**
 * The payments that were opened since then, newest first, page by page.
 *
 * @throws 503 where the provider is unavailable
 */
export async function* listPayments({ since }: { since: Date }): AsyncGenerator<Payment[]> {
  let last: string | undefined;
  for (;;) {
    const page = await callProvider(() =>
      stripe().paymentIntents.list({
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
        expand: ["data.latest_charge"],
        ...(last !== undefined && { starting_after: last }),
      }),
    );
    yield page.data.map((intent) => paymentOf(intent));
    last = page.data.at(-1)?.id;
    if (!page.has_more) return;
  }
}

/**
 * Cancels a payment that has not been paid yet. Cancelling is idempotent by itself: each call has a
 * key of its own, since the provider would otherwise repeat a failure for a day.
 *
 * @returns the payment as it is now: cancelled, or paid in the meantime; null for an unknown one
 * @throws 503 where the provider is unavailable
 */
export async function cancelPayment(id: string): Promise<Payment | null> {
  const isCancelled = await callProvider(async () => {
    try {
      const intent = await stripe().paymentIntents.cancel(
        id,
        {},
        { idempotencyKey: `cancel:${id}:${randomUUID()}` },
      );
      return paymentOf(intent, id);
    } catch (error) {
      if (hasCode(error, "payment_intent_unexpected_state")) return null;
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
  return isCancelled ?? getPayment(id);
}

/** Refunds all of a payment that is not refunded yet. @throws 503 where the provider is unavailable */
export async function refundPayment(id: string): Promise<void> {
  await callProvider(async () => {
    try {
      await stripe().refunds.create(
        { payment_intent: id },
        { idempotencyKey: `refund:${id}:${randomUUID()}` },
      );
    } catch (error) {
      if (!hasCode(error, "charge_already_refunded")) throw error;
    }
  });
}

/**
 * Verifies and parses an event of the provider.
 *
 * @param body the exact bytes as text
 * @returns null for what is not signed by the provider, older than five minutes, or no event
 */
export function parseEvent({
  body,
  signature,
}: {
  body: string;
  signature: string | null;
}): PaymentEvent | null {
  if (!signature) return null;
  try {
    const { webhookSecret } = paymentProvider();
    const event = stripe().webhooks.constructEvent(body, signature, webhookSecret);
    const read = eventSchema.safeParse(event);
    if (!read.success) return null;
    const { id, type, data } = read.data;
    const { object } = data;
    return object.object === "payment_intent"
      ? { id, type, paymentId: object.id, isRefund: false }
      : { id, type, paymentId: object.payment_intent ?? null, isRefund: true };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) {
      // "No signatures found …" of another secret, "Timestamp outside …" of a wrong clock; the rest is advice.
      const [reason] = error.message.split(/\.|\n/);
      log.warn({ reason }, "payment event refused: its signature is not valid");
      return null;
    }
    // A signed body that is no JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * @param expectedId the payment that was asked for
 * @throws 503 for a response about another payment, or without the fields that are needed
 */
function paymentOf(answer: unknown, expectedId?: string): Payment {
  const read = intentSchema.safeParse(answer);
  if (!read.success || (expectedId !== undefined && read.data.id !== expectedId))
    throw unexpectedAnswer(answer);
  const intent = read.data;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const isOurs = intent.metadata.shop === siteUrl();
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? "",
    state: paymentState(intent.status),
    currency: intent.currency,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    refundedCents: charge?.amount_refunded ?? 0,
    paidAt: new Date((charge?.created ?? intent.created) * 1000),
    checkoutId: (isOurs && intent.metadata.checkout) || null,
  };
}
