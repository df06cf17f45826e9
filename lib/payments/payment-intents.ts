import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { z } from "zod";
import { siteUrl } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { paymentProvider } from "@/lib/payment-settings";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { type PaymentState, paymentState } from "./rules";
import { callProvider, hasCode, stripe, unexpectedAnswer } from "./stripe-client";

/**
 * Retries when a payment is opened: the provider answers 409 while it handles the same call of another
 * instance.
 */
const OPENING_MAX_RETRIES = 2;

/** The fields of a payment at the provider that the shop uses. */
export interface Payment {
  id: string;
  clientSecret: string;
  state: PaymentState;
  currency: string;
  amountCents: number;
  /** The amount taken; 0 before the payment is paid. */
  receivedCents: number;
  refundedCents: number;
  /** The date of the charge or, without one, of the opening of the payment. */
  paidAt: Date;
  /** The checkout's id; null for a payment that is not the shop's. */
  checkoutId: string | null;
}

export interface PaymentEvent {
  id: string;
  type: string;
  /** The event's payment; null for events without a payment. */
  paymentId: string | null;
  /** The event is about a refund of the payment, or a dispute. */
  isRefund: boolean;
}

/** The fields of a payment response that the shop relies on. */
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
 * Opens the payment of a checkout. The checkout's id is the idempotency key: repeated calls return the
 * same payment.
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
        // Not `receipt_email`: the provider would send a mail of its own to that address.
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
 * Writes the order's number to its paid payment.
 *
 * @throws 503 where the provider is unavailable; `ProviderRefusal` where it answers with a failure
 */
export async function writeOrderNumber({
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
 * The payments opened since a date, newest first, page by page.
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
 * Cancels an unpaid payment. Cancelling is idempotent by itself: each call has its own key, since the
 * provider would otherwise repeat a failure for a day.
 *
 * @returns the payment afterwards: cancelled, or paid in the meantime; null for an unknown payment
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

/** Refunds the rest of a payment. @throws 503 where the provider is unavailable */
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
 * @returns null for a body that is not signed by the provider, is older than five minutes, or is no event
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
      // "No signatures found …": another secret. "Timestamp outside …": a wrong clock. The rest is advice.
      const [reason] = error.message.split(/\.|\n/);
      log.warn({ reason }, "payment event refused: its signature is not valid");
      return null;
    }
    // A signed body that is not JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * @param expectedId the requested payment
 * @throws 503 for a response about another payment, or without the fields that the shop needs
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
