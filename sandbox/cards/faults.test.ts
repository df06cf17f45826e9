import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/e2e/services/card-sandbox";

const eur = { amount: 1000, currency: "eur" };
const CREATE = "payment_intents.create";

test("a retry after a timeout gets the same payment intent", async ({ sandbox, control }) => {
  for (const when of ["before", "after"] as const) {
    await control.reset();
    await control.fault({ call: CREATE, effect: "delay", when, milliseconds: 1_500 });
    const hasty = stripeFor(sandbox.url, { timeout: 500, maxNetworkRetries: 5 });
    const intent = await hasty.paymentIntents.create(eur);
    expect((await control.summary()).payments.map(({ id }) => id)).toEqual([intent.id]);
  }
});

test("Stripe's package retries what failed before or after execution", async ({
  sandbox,
  control,
}) => {
  const patient = stripeFor(sandbox.url, { maxNetworkRetries: 2 });
  await control.fault({ call: CREATE, effect: "fail", when: "before", status: 503, times: 2 });
  const first = await patient.paymentIntents.create(eur);
  await control.fault({ call: CREATE, effect: "fail", when: "after", times: 1 });
  const second = await patient.paymentIntents.create(eur);
  const ids = (await control.summary()).payments.map(({ id }) => id);
  expect(ids).toEqual([second.id, first.id]);
  expect(second.lastResponse.headers).toMatchObject({ "idempotent-replayed": "true" });
});

test("an error during execution is saved under its idempotency key, and not retried", async ({
  sandbox,
  control,
}) => {
  await control.fault({ call: CREATE, effect: "fail", when: "before", isRemembered: true });
  const patient = stripeFor(sandbox.url, { maxNetworkRetries: 2 });
  const options = { idempotencyKey: "unlucky" };
  const first = await errorOf(patient.paymentIntents.create(eur, options));
  expect(first.statusCode).toBe(500);
  expect(first.headers).toMatchObject({ "stripe-should-retry": "false" });
  const second = await errorOf(stripeFor(sandbox.url).paymentIntents.create(eur, options));
  expect(second.statusCode).toBe(500);
  expect(second.headers).toMatchObject({ "idempotent-replayed": "true" });
  expect((await control.summary()).payments).toEqual([]);
});

for (const when of ["before", "after"] as const)
  test(`a connection closed ${when} execution: the payment intent is charged once`, async ({
    sandbox,
    stripe,
    control,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur);
    const confirm = (client: Stripe) =>
      client.paymentIntents.confirm(
        id,
        { payment_method: "pm_card_visa" },
        { idempotencyKey: "confirm" },
      );
    // The package retries once even with maxNetworkRetries 0: only two dropped connections give an error.
    const twice = { call: "payment_intents.confirm", effect: "drop", when, times: 2 } as const;
    await control.fault(twice);
    const error = await errorOf(confirm(stripe));
    expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    const isTaken = when === "after";
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe(
      isTaken ? "succeeded" : "requires_payment_method",
    );
    await control.fault(twice);
    const paid = await confirm(stripeFor(sandbox.url, { maxNetworkRetries: 3 }));
    expect(paid.status).toBe("succeeded");
    expect((await control.summary()).totals).toMatchObject({ taken: 1000, payments: 1 });
  });

test("half a response is a connection error; the payment intent exists", async ({
  stripe,
  control,
}) => {
  await control.fault({ call: CREATE, effect: "cut", times: 1 });
  const error = await errorOf(stripe.paymentIntents.create(eur, { idempotencyKey: "half" }));
  expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  const [made] = (await control.summary()).payments;
  const again = await stripe.paymentIntents.create(eur, { idempotencyKey: "half" });
  expect(again.id).toBe(made?.id);
});

test("an object can be hidden by one 404, and exists afterwards", async ({ stripe, control }) => {
  const { id } = await stripe.paymentIntents.create(eur);
  await control.fault({ call: "payment_intents.retrieve", effect: "deny" });
  const error = await errorOf(stripe.paymentIntents.retrieve(id));
  expect(error).toMatchObject({ statusCode: 404, code: "resource_missing" });
  expect((await stripe.paymentIntents.retrieve(id)).id).toBe(id);
});

test("a slow response arrives complete", async ({ stripe, control }) => {
  await control.fault({ call: CREATE, effect: "trickle", milliseconds: 300 });
  const start = Date.now();
  const intent = await stripe.paymentIntents.create(eur);
  expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("faults match calls by name, and can be combined, listed and cleared", async ({
  stripe,
  control,
  sandbox,
}) => {
  await control.fault(
    { call: "refunds.*", effect: "fail", when: "before", times: 1 },
    { call: "*", effect: "delay", when: "before", milliseconds: 100, times: 2 },
  );
  const start = Date.now();
  const { id } = await stripe.paymentIntents.create({
    ...eur,
    payment_method: "pm_card_visa",
    confirm: true,
  });
  expect((await errorOf(stripe.refunds.create({ payment_intent: id }))).statusCode).toBe(500);
  expect(Date.now() - start).toBeGreaterThanOrEqual(195);
  await stripe.refunds.create({ payment_intent: id });

  await control.fault({ call: "*", effect: "drop", when: "before", times: 100 });
  const list = await fetch(`${sandbox.url}/_sandbox/faults`);
  expect(await list.json()).toEqual([{ call: "*", effect: "drop", when: "before", times: 100 }]);
  await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  await stripe.paymentIntents.retrieve(id);
});

test("stopping ends pending delays", async ({ sandbox, control }) => {
  await control.fault({ call: CREATE, effect: "delay", when: "before", milliseconds: 60_000 });
  const waiting = errorOf(stripeFor(sandbox.url).paymentIntents.create(eur));
  await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/faults`)).json()).toEqual([]);
  const start = Date.now();
  await sandbox.stop();
  expect(await waiting).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(Date.now() - start).toBeLessThan(5_000);
});
