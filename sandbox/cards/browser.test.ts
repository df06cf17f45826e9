import type Stripe from "stripe";
import { expect, test } from "@/e2e/services/card-sandbox";

// Calls the sandbox like Stripe.js: publishable key, client secret, form encoding, another origin.

const ORIGIN = "http://localhost:3000";
const KEY = "pk_test_browser";
const eur = { amount: 1000, currency: "eur" };

interface Answer {
  status: number;
  headers: Headers;
  body: Partial<Stripe.PaymentIntent> & {
    error?: { code?: string; message?: string; payment_intent?: Stripe.PaymentIntent };
  };
}

async function call(
  url: string,
  params: Record<string, string>,
  { method = "POST", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const form = new URLSearchParams({ key: KEY, ...params });
  const isGet = method === "GET";
  const response = await fetch(isGet ? `${url}?${form}` : url, {
    method,
    headers: { Origin: ORIGIN, ...headers },
    ...(isGet ? {} : { body: form }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer["body"],
  };
}

const cardData = (number: string) => ({
  "payment_method_data[type]": "card",
  "payment_method_data[card][number]": number,
  "payment_method_data[card][exp_month]": "12",
  "payment_method_data[card][exp_year]": "34",
  "payment_method_data[card][cvc]": "123",
  "payment_method_data[billing_details][name]": "Camille Durand",
  use_stripe_sdk: "true",
});

test("a browser pays with card data and the client secret", async ({ sandbox, stripe }) => {
  const intent = await stripe.paymentIntents.create({ ...eur, metadata: { userId: "7" } });
  const secret = { client_secret: String(intent.client_secret) };
  const url = `${sandbox.url}/v1/payment_intents/${intent.id}`;
  const seen = await call(url, secret, { method: "GET" });
  expect(seen.status).toBe(200);
  expect(seen.body).toMatchObject({
    id: intent.id,
    amount: 1000,
    status: "requires_payment_method",
  });
  const paid = await call(`${url}/confirm`, { ...secret, ...cardData("4242 4242 4242 4242") });
  expect(paid.status).toBe(200);
  expect(paid.body).toMatchObject({ id: intent.id, status: "succeeded", ...secret });
  for (const { headers } of [seen, paid])
    expect(headers.get("access-control-allow-origin")).toBe("*");
});

test("a browser without the right client secret is refused", async ({ sandbox, stripe }) => {
  const intent = await stripe.paymentIntents.create(eur);
  const other = await stripe.paymentIntents.create(eur);
  const url = `${sandbox.url}/v1/payment_intents/${intent.id}`;
  const wrong = [{}, { client_secret: String(other.client_secret) }, { client_secret: "x" }];
  for (const params of wrong as Record<string, string>[])
    for (const answer of [
      await call(url, params, { method: "GET" }),
      await call(`${url}/confirm`, { ...params, ...cardData("4242424242424242") }),
    ]) {
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain(String(intent.client_secret));
    }
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe("requires_payment_method");
});

test("a publishable key may neither create, cancel, refund nor list, nor set metadata", async ({
  sandbox,
  stripe,
}) => {
  const intent = await stripe.paymentIntents.create(eur);
  const secret = { client_secret: String(intent.client_secret) };
  const forbidden: [string, string, Record<string, string>][] = [
    ["POST", "/v1/payment_intents", { amount: "100", currency: "eur" }],
    ["GET", "/v1/payment_intents", {}],
    ["POST", `/v1/payment_intents/${intent.id}/cancel`, secret],
    ["POST", "/v1/refunds", { payment_intent: intent.id }],
    ["GET", "/v1/refunds", {}],
  ];
  for (const [method, path, params] of forbidden) {
    const answer = await call(`${sandbox.url}${path}`, params, { method });
    expect(answer.status, `${method} ${path}`).toBe(401);
  }
  for (const name of ["metadata[order]", "description", "amount", "transfer_group"]) {
    const confirm = `${sandbox.url}/v1/payment_intents/${intent.id}/confirm`;
    const answer = await call(confirm, { ...secret, [name]: "1", payment_method: "pm_card_visa" });
    expect(answer.status, name).toBe(400);
    expect(answer.body.error).toMatchObject({ code: "parameter_unknown" });
  }
  expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("a secret key is refused in a browser, and as a parameter", async ({ sandbox }) => {
  const url = `${sandbox.url}/v1/payment_intents`;
  const headers = { Origin: ORIGIN, Authorization: "Bearer sk_test_1" };
  expect((await fetch(url, { headers })).status).toBe(401);
  expect((await fetch(`${url}?key=sk_test_1`)).status).toBe(401);
});

test.describe("authentication", () => {
  async function begin(url: string, stripe: Stripe, number = "4000002500003155") {
    const intent = await stripe.paymentIntents.create(eur);
    const secret = { client_secret: String(intent.client_secret) };
    const waiting = await call(`${url}/v1/payment_intents/${intent.id}/confirm`, {
      ...secret,
      ...cardData(number),
    });
    expect(waiting.body.status).toBe("requires_action");
    const sdk = waiting.body.next_action?.use_stripe_sdk;
    const source = String(sdk?.three_d_secure_2_source);
    expect(source).toMatch(/^payatt_/);
    const answer = (outcome: string, more: Record<string, string> = {}) =>
      call(`${url}${sdk?.authentication_path}`, { ...secret, source, outcome, ...more });
    return { id: intent.id, source, secret, answer };
  }

  test("'Refuser' charges nothing, and 'Autoriser' completes the payment", async ({
    sandbox,
    stripe,
    control,
    receiver,
  }) => {
    const { id, answer } = await begin(sandbox.url, stripe);
    const refused = await answer("refused");
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({
      id,
      status: "requires_payment_method",
      next_action: null,
      payment_method: null,
      last_payment_error: {
        type: "invalid_request_error",
        code: "payment_intent_authentication_failure",
        message:
          "Nous ne pouvons pas authentifier votre moyen de paiement. Veuillez en choisir un autre et réessayer.",
      },
    });
    expect((await control.summary()).totals).toMatchObject({ payments: 0 });
    await expect.poll(() => receiver.types).toContain("payment_intent.payment_failed");

    const other = await begin(sandbox.url, stripe);
    const done = await other.answer("authorized");
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ id: other.id, status: "succeeded", next_action: null });
    const paid = await stripe.paymentIntents.retrieve(other.id, { expand: ["latest_charge"] });
    expect(paid).toMatchObject({ amount_received: 1000, latest_charge: { paid: true } });
    await expect.poll(() => receiver.types).toContain("payment_intent.succeeded");
  });

  test("the charge may still be declined after 'Autoriser'", async ({
    sandbox,
    stripe,
    control,
  }) => {
    for (const [number, code] of [
      ["4000008400001629", "generic_decline"],
      ["4000008260003178", "insufficient_funds"],
    ] as const) {
      const { answer } = await begin(sandbox.url, stripe, number);
      expect((await answer("authorized")).body).toMatchObject({
        status: "requires_payment_method",
        last_payment_error: { type: "card_error", code: "card_declined", decline_code: code },
      });
    }
    expect((await control.summary()).totals).toMatchObject({ payments: 0 });
  });

  test("an authentication counts once, for its own attempt, with the client secret", async ({
    sandbox,
    stripe,
    control,
  }) => {
    const first = await begin(sandbox.url, stripe);
    const other = await begin(sandbox.url, stripe);
    const wrong = [
      await first.answer("peut-être"),
      await first.answer("authorized", { client_secret: "pi_1_secret_2" }),
      await first.answer("authorized", other.secret),
      await first.answer("authorized", { source: other.source }),
      await first.answer("authorized", { source: "payatt_unknown" }),
    ];
    for (const { status } of wrong) expect([400, 404]).toContain(status);
    expect((await control.summary()).totals).toMatchObject({ payments: 0 });
    // A new confirmation invalidates the previous authentication.
    const confirm = `${sandbox.url}/v1/payment_intents/${first.id}/confirm`;
    const again = await call(confirm, { ...first.secret, ...cardData("4000002500003155") });
    expect(again.body.status).toBe("requires_action");
    expect((await first.answer("authorized")).status).toBe(400);
    // A double click.
    const answers = await Promise.all([other.answer("authorized"), other.answer("authorized")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await control.summary()).totals).toMatchObject({ taken: 1000, payments: 1 });
  });
});
