import { createHmac } from "node:crypto";
import type Stripe from "stripe";
import { authSecret, env } from "@/lib/env";

/**
 * The version of Stripe's API that the shop and its sandbox use. It has the type of the `stripe` package's
 * version, so that an upgrade that changes the version does not compile.
 */
export const STRIPE_API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";

/** The base URL, without a path. */
const STRIPE = "https://api.stripe.com";

/** Where the sandbox listens unless STRIPE_API_BASE says otherwise. */
export const SANDBOX_PORT = 12_111;

/** The events that the webhook subscribes to. */
export const HANDLED_EVENTS: readonly string[] = [
  "payment_intent.succeeded",
  "payment_intent.canceled",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
];

/**
 * Stripe with the keys of the environment; without keys the card sandbox, which accepts any key and moves
 * no money.
 */
export function paymentProvider() {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE } =
    env();
  if (STRIPE_SECRET_KEY && STRIPE_PUBLISHABLE_KEY && STRIPE_WEBHOOK_SECRET)
    return {
      secretKey: STRIPE_SECRET_KEY,
      publishableKey: STRIPE_PUBLISHABLE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiBase: STRIPE_API_BASE ?? STRIPE,
      isSandbox: false,
    };
  return {
    secretKey: "sk_test_sandbox",
    publishableKey: "pk_test_sandbox",
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret(authSecret()),
    apiBase: STRIPE_API_BASE ?? `http://127.0.0.1:${SANDBOX_PORT}`,
    isSandbox: true,
  };
}

/** The sandbox's signing secret, unless one is given: both sides derive it from the shop's secret. */
export function sandboxWebhookSecret(secret: string): string {
  return `whsec_${createHmac("sha256", secret).update("card sandbox's webhooks").digest("hex")}`;
}
