import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { paymentProvider, sandboxWebhookSecret } from "@/lib/payment-settings";

const NAMES = [
  "AUTH_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_API_BASE",
] as const;

const before = NAMES.map((name) => [name, process.env[name]] as const);

function providerWith(env: Partial<Record<(typeof NAMES)[number], string>>) {
  for (const name of NAMES) process.env[name] = env[name] ?? "";
  forgetEnv();
  return paymentProvider();
}

test.afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  forgetEnv();
});

const SANDBOX = {
  secretKey: "sk_test_sandbox",
  publishableKey: "pk_test_sandbox",
  webhookSecret: sandboxWebhookSecret("a-secret-of-sixteen-letters-or-more"),
  apiBase: "http://127.0.0.1:12111",
  isSandbox: true,
};

test("without keys the card sandbox is used, at the configured URL", () => {
  const AUTH_SECRET = "a-secret-of-sixteen-letters-or-more";
  expect(providerWith({ AUTH_SECRET })).toEqual(SANDBOX);
  const [apiBase, webhookSecret] = ["http://cartes.local:9000", "whsec_known"];
  const moved = { STRIPE_API_BASE: apiBase, STRIPE_WEBHOOK_SECRET: webhookSecret };
  expect(providerWith({ AUTH_SECRET, ...moved })).toEqual({ ...SANDBOX, apiBase, webhookSecret });
});

test("with keys Stripe is used, unless another URL is configured", () => {
  const keys = {
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
  };
  const provider = {
    secretKey: "sk_live_1",
    publishableKey: "pk_live_1",
    webhookSecret: "whsec_1",
    apiBase: "https://api.stripe.com",
    isSandbox: false,
  };
  expect(providerWith(keys)).toEqual(provider);
  const { apiBase } = SANDBOX;
  expect(providerWith({ ...keys, STRIPE_API_BASE: apiBase })).toEqual({ ...provider, apiBase });
});

test("each sandbox has a webhook secret of its own shop", () => {
  expect(sandboxWebhookSecret("one")).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(sandboxWebhookSecret("one")).not.toBe(sandboxWebhookSecret("two"));
});
