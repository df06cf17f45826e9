import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { z } from "zod";
import { siteUrl } from "@/lib/env";
import { Failure, fail } from "@/lib/errors";
import { log } from "@/lib/http/log";
import { step } from "@/lib/telemetry/span";
import { paymentProvider } from "./provider";
import { type PaymentState, paymentState } from "./rules";
import { PROVIDER_AWAY } from "./texts";

// The only module on the server that knows Stripe's package. No database transaction may be open
// while one of these functions is waited for.

/** The version of the API that the package describes: an upgrade that changes it does not compile. */
const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";

/** Milliseconds for one answer. */
const TIMEOUT = 6_000;
/** After the first request, with the same idempotency key: who pays waits some 12 seconds at most. */
const REPETITIONS = 1;
/** Of opening a payment: the provider refuses (409) while it works on the same for another instance. */
const OPENING_REPETITIONS = 2;

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
}

/** What the shop relies on in an answer about a payment. */
const intentShape = z.object({
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

const eventShape = z.object({
  id: z.string().min(1),
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().min(1), object: z.string() }) }),
});

let current: { client: Stripe; apiBase: string; secretKey: string } | undefined;

function stripe(): Stripe {
  const { apiBase, secretKey } = paymentProvider();
  if (current?.apiBase === apiBase && current.secretKey === secretKey) return current.client;
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === "http:";
  const client = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: isPlain ? "http" : "https",
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    timeout: TIMEOUT,
    maxNetworkRetries: REPETITIONS,
    telemetry: false,
  });
  current = { client, apiBase, secretKey };
  return client;
}

/**
 * Opens the payment of a checkout. The checkout's id is the idempotency key: however often and from
 * wherever it is called, there is one payment.
 *
 * @throws 503 where the provider is away or speaks of another payment; `ProviderRefusal` where it
 *   has answered with a failure, which it would repeat for this key
 */
export async function openPayment(checkout: { id: string; totalCents: number }): Promise<Payment> {
  return calling(async () => {
    const intent = await stripe().paymentIntents.create(
      {
        amount: checkout.totalCents,
        currency: "eur",
        allowed_payment_method_types: ["card"],
        metadata: { checkout: checkout.id, shop: siteUrl() },
      },
      { idempotencyKey: `checkout:${checkout.id}`, maxNetworkRetries: OPENING_REPETITIONS },
    );
    const payment = paymentOf(intent);
    if (payment.checkoutId !== checkout.id) throw contradiction(intent);
    return payment;
  });
}

/**
 * @returns null where the provider knows no such payment
 * @throws 503 where the provider is away
 */
export async function getPayment(id: string): Promise<Payment | null> {
  return calling(async () => {
    try {
      const intent = await stripe().paymentIntents.retrieve(id, { expand: ["latest_charge"] });
      return paymentOf(intent, id);
    } catch (error) {
      if (isCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

/**
 * Every payment that was opened since then, newest first, page by page.
 *
 * @throws 503 where the provider is away
 */
export async function* listPayments({ since }: { since: Date }): AsyncGenerator<Payment[]> {
  let last: string | undefined;
  for (;;) {
    const page = await calling(() =>
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
 * Cancels a payment that nobody has paid yet. Cancelling is naturally done once: each call has a
 * key of its own, since a failure that the provider remembers would else be repeated for a day.
 *
 * @returns the payment as it is now: cancelled, or paid in the meantime; null for an unknown one
 * @throws 503 where the provider is away
 */
export async function cancelPayment(id: string): Promise<Payment | null> {
  const isCancelled = await calling(async () => {
    try {
      const intent = await stripe().paymentIntents.cancel(
        id,
        {},
        { idempotencyKey: `cancel:${id}:${randomUUID()}` },
      );
      return paymentOf(intent, id);
    } catch (error) {
      if (isCode(error, "payment_intent_unexpected_state")) return null;
      if (isCode(error, "resource_missing")) return null;
      throw error;
    }
  });
  return isCancelled ?? getPayment(id);
}

/**
 * Gives all of a payment back. As with cancelling, a second call finds that nothing is left to give.
 *
 * @throws 503 where the provider is away
 */
export async function refundPayment(id: string): Promise<void> {
  await calling(async () => {
    try {
      await stripe().refunds.create(
        { payment_intent: id },
        { idempotencyKey: `refund:${id}:${randomUUID()}` },
      );
    } catch (error) {
      if (!isCode(error, "charge_already_refunded")) throw error;
    }
  });
}

/**
 * Reads an event that the provider sends.
 *
 * @param body as it came, to the byte
 * @returns null for what is not signed by the provider, older than five minutes, or no event
 */
export function readEvent({
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
    const read = eventShape.safeParse(event);
    if (!read.success) return null;
    const { id, type, data } = read.data;
    return { id, type, paymentId: data.object.object === "payment_intent" ? data.object.id : null };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    // Signed, and yet no event: a body that is no JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The provider has answered, and what it answered is a failure. A 503 for whoever called. */
export class ProviderRefusal extends Failure {
  constructor() {
    super("unavailable", PROVIDER_AWAY, { retryAfter: 5 });
  }
}

/** Says in the shop's words what the provider's package throws. */
async function calling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await step({ name: "payment provider" }, call);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (!(error instanceof Stripe.errors.StripeError)) {
      // The package stumbles over an answer that is JSON and nothing that it knows.
      log.error({ err: error }, "payment provider's answer not understood");
      throw fail.unavailable(PROVIDER_AWAY);
    }
    const { type, code, statusCode, requestId, message } = error;
    log.warn({ type, code, statusCode, requestId, reason: message }, "payment provider failed");
    const isUndecided =
      error instanceof Stripe.errors.StripeConnectionError || statusCode === 409 || !statusCode;
    if (isUndecided || statusCode === 429) throw fail.unavailable(PROVIDER_AWAY);
    throw new ProviderRefusal();
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}

/**
 * @param asked the payment that the answer should be about
 * @throws 503 for an answer about another one, or that says too little
 */
function paymentOf(answer: unknown, asked?: string): Payment {
  const read = intentShape.safeParse(answer);
  if (!read.success || (asked !== undefined && read.data.id !== asked)) throw contradiction(answer);
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

/** An answer that cannot be one to what was asked: nothing is decided by it. */
function contradiction(answer: unknown): Failure {
  const { id } = z
    .object({ id: z.string().optional().catch(undefined) })
    .catch({})
    .parse(answer);
  log.error({ about: id ?? null }, "payment provider contradicts itself");
  return fail.unavailable(PROVIDER_AWAY);
}
