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

test("without keys the card sandbox is used, at the configured URL", () => {
  const secret = "a-secret-of-sixteen-letters-or-more";
  expect(providerWith({ AUTH_SECRET: secret })).toEqual({
    secretKey: "sk_test_sandbox",
    publishableKey: "pk_test_sandbox",
    webhookSecret: sandboxWebhookSecret(secret),
    apiBase: "http://127.0.0.1:12111",
    isSandbox: true,
  });
  expect(
    providerWith({
      AUTH_SECRET: secret,
      STRIPE_API_BASE: "http://cartes.local:9000",
      STRIPE_WEBHOOK_SECRET: "whsec_known",
    }),
  ).toMatchObject({
    apiBase: "http://cartes.local:9000",
    webhookSecret: "whsec_known",
    isSandbox: true,
  });
});

test("with keys Stripe is used, unless another URL is configured", () => {
  const keys = {
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
  };
  expect(providerWith(keys)).toEqual({
    secretKey: "sk_live_1",
    publishableKey: "pk_live_1",
    webhookSecret: "whsec_1",
    apiBase: "https://api.stripe.com",
    isSandbox: false,
  });
  expect(providerWith({ ...keys, STRIPE_API_BASE: "http://127.0.0.1:12111" })).toMatchObject({
    apiBase: "http://127.0.0.1:12111",
    isSandbox: false,
  });
});

test("each sandbox has a webhook secret of its own shop", () => {
  expect(sandboxWebhookSecret("one")).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(sandboxWebhookSecret("one")).not.toBe(sandboxWebhookSecret("two"));
});
