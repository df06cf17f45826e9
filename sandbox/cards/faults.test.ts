import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/sandbox/cards/testing";

const eur = { amount: 1000, currency: "eur" };
const CREATE = "payment_intents.create";

test("a delay makes the answer late", async ({ stripe, control }) => {
  for (const when of ["before", "after"] as const) {
    await control.fault({ call: CREATE, effect: "delay", when, milliseconds: 300 });
    const start = Date.now();
    await stripe.paymentIntents.create(eur);
    expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  }
});

test("who gives up waiting and asks again gets the one payment", async ({ sandbox, control }) => {
  for (const when of ["before", "after"] as const) {
    await control.reset();
    await control.fault({ call: CREATE, effect: "delay", when, milliseconds: 700 });
    const hasty = stripeFor(sandbox.url, { timeout: 200, maxNetworkRetries: 3 });
    const intent = await hasty.paymentIntents.create(eur);
    expect((await control.summary()).payments.map(({ id }) => id)).toEqual([intent.id]);
  }
});

test("errors of the server come so often as they were asked for", async ({ stripe, control }) => {
  await control.fault({ call: CREATE, effect: "fail", when: "before", times: 2 });
  for (let i = 0; i < 2; i += 1) {
    const error = await errorOf(stripe.paymentIntents.create(eur));
    expect(error).toBeInstanceOf(Stripe.errors.StripeAPIError);
    expect(error).toMatchObject({ statusCode: 500, rawType: "api_error" });
  }
  expect((await control.summary()).payments).toEqual([]);
  await stripe.paymentIntents.create(eur);
});

test("the package repeats by itself what failed before or after the work", async ({
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

test("an error that happened during the work stays under its key, and says so", async ({
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
  test(`a connection that breaks ${when} the work: the payment is taken once`, async ({
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
    // The package repeats once even where it is told not to repeat: two breaks are an error.
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
    expect((await control.summary()).totals).toMatchObject({ eur: { taken: 1000, payments: 1 } });
  });

test("half an answer is an error of the connection; the payment exists", async ({
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

test("a slow answer arrives whole", async ({ stripe, control }) => {
  await control.fault({ call: CREATE, effect: "trickle", milliseconds: 300 });
  const start = Date.now();
  const intent = await stripe.paymentIntents.create(eur);
  expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("faults concern the calls they name, can be combined, listed and taken back", async ({
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

test("stopping keeps nobody waiting", async ({ sandbox, control }) => {
  await control.fault({ call: CREATE, effect: "delay", when: "before", milliseconds: 60_000 });
  const waiting = errorOf(stripeFor(sandbox.url).paymentIntents.create(eur));
  await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/faults`)).json()).toEqual([]);
  const start = Date.now();
  await sandbox.stop();
  expect(await waiting).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(Date.now() - start).toBeLessThan(5_000);
});
