import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import Stripe from "stripe";
import { sandboxWebhookSecret } from "@/lib/payment-settings";
import type { CallFault, WebhookFault } from "@/sandbox/cards/faults";
import { startCardSandbox } from "@/sandbox/cards/server";
import type { Summary } from "@/sandbox/cards/summary";

/** A payment in the sandbox's responses. */
interface CardPayment {
  id: string;
  status: string;
  amount: number;
  client_secret: string;
  next_action: { use_stripe_sdk: { three_d_secure_2_source: string } } | null;
  last_payment_error: { code: string; message: string } | null;
}

interface CardAnswer {
  status: number;
  json: CardPayment & { error?: { code?: string; message: string } };
}

/** The card sandbox of a test: the calls of shop and browser, its books, and fault injection. */
export interface Cards {
  url: string;
  /** Sends events to this shop from now on. */
  sendWebhooksTo(shopURL: string): Promise<void>;
  fault(...faults: (Partial<CallFault> | Partial<WebhookFault>)[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** The faults that are not used up yet. */
  faults(): Promise<unknown>;
  books(): Promise<Summary>;
  /** Calls the API: with the secret key, as the shop's server does. */
  call(path: string, form?: Record<string, string>): Promise<CardAnswer>;
  /** Pays as a browser does, by the payment's client secret; with "pm_card_visa" by default. */
  pay(clientSecret: string, method?: string): Promise<CardAnswer>;
  /** Answers the bank's 3-D Secure challenge. */
  authenticate(payment: CardPayment, outcome: "authorized" | "refused"): Promise<CardAnswer>;
  /** Sets the bank's decision about a refund. */
  settleRefund(refund: string, status: "succeeded" | "failed"): Promise<void>;
  /** Opens a dispute of the buyer's bank about the rest of a payment, or decides it. */
  dispute(paymentId: string, status: "needs_response" | "won" | "lost"): Promise<void>;
  /** The `Stripe-Signature` header for a body. */
  sign(payload: string, options?: { secondsAgo?: number }): string;
  stop(): Promise<void>;
}

/** Waits until the provider has no event left to deliver. */
export const expectDelivered = (
  cards: Pick<Cards, "books">,
  { timeout = 40_000 }: { timeout?: number } = {},
): Promise<void> =>
  expect.poll(async () => (await cards.books()).webhooks.pending, { timeout }).toBe(0);

/** The id of the payment that a secret belongs to. */
export const paymentIdOf = (clientSecret: string) => clientSecret.split("_secret_")[0] ?? "";

/**
 * Starts a card sandbox for shops that run with this secret. Its webhooks are undeliverable before
 * `sendWebhooksTo`.
 */
export async function startCards(authSecret: string): Promise<Cards> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-cards-"));
  const secret = sandboxWebhookSecret(authSecret);
  const lines: string[] = [];
  const sandbox = await startCardSandbox({
    port: 0,
    dataFile: path.join(folder, "cards.jsonl"),
    // Nothing listens on the port "discard".
    webhookUrl: "http://127.0.0.1:9/",
    webhookSecret: secret,
    log: (line) => lines.push(line),
    retry: { firstMs: 50, maxMs: 1_000 },
  });
  const { url } = sandbox;
  const control = async (endpoint: string, init: RequestInit) => {
    const response = await fetch(`${url}/_sandbox/${endpoint}`, init);
    expect(response.status, await response.clone().text()).toBe(200);
    return response.json();
  };
  const post = async (
    endpoint: string,
    { key, form }: { key: string; form: Record<string, string> },
  ): Promise<CardAnswer> => {
    const response = await fetch(`${url}/v1/${endpoint}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(form).toString(),
    });
    return { status: response.status, json: (await response.json()) as CardAnswer["json"] };
  };
  const browser = { key: "pk_test_sandbox" };
  return {
    url,
    sendWebhooksTo: async (shopURL) => {
      const body = JSON.stringify({ url: `${shopURL}/api/stripe/webhook` });
      await control("webhook", { method: "POST", body });
    },
    fault: async (...faults) => {
      await control("faults", { method: "POST", body: JSON.stringify(faults) });
    },
    clearFaults: async () => {
      await control("faults", { method: "DELETE" });
    },
    faults: () => control("faults", {}),
    books: async () => (await control("payments", {})) as Summary,
    call: (endpoint, form = {}) => post(endpoint, { key: "sk_test_sandbox", form }),
    pay: (clientSecret, method = "pm_card_visa") =>
      post(`payment_intents/${paymentIdOf(clientSecret)}/confirm`, {
        ...browser,
        form: { client_secret: clientSecret, payment_method: method },
      }),
    authenticate: (payment, outcome) =>
      post("3ds2/authenticate", {
        ...browser,
        form: {
          source: payment.next_action?.use_stripe_sdk.three_d_secure_2_source ?? "",
          client_secret: payment.client_secret,
          outcome,
        },
      }),
    settleRefund: async (refund, status) => {
      await control("refund", { method: "POST", body: JSON.stringify({ refund, status }) });
    },
    dispute: async (payment_intent, status) => {
      const body = JSON.stringify({ payment_intent, status });
      await control("dispute", { method: "POST", body });
    },
    sign: (payload, { secondsAgo = 0 } = {}) =>
      Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(Date.now() / 1000) - secondsAgo,
      }),
    stop: async () => {
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
      // Anything but undelivered webhooks is an error in the sandbox itself.
      expect(lines.filter((line) => !line.startsWith("Webhook "))).toEqual([]);
    },
  };
}
