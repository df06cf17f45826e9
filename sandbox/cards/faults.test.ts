import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/e2e/services/card-sandbox";

const eur = { amount: 1000, currency: "eur" };
const CREATE = "payment_intents.create";

test("a call that timed out or failed, before or after execution, is retried and executed once", async ({
  sandbox,
  control,
}) => {
  const client = stripeFor(sandbox.url, { timeout: 500, maxNetworkRetries: 5 });
  for (const when of ["before", "after"] as const)
    for (const fault of [
      { effect: "delay", when, milliseconds: 1_500 },
      { effect: "fail", when, status: 503, times: 2 },
    ] as const) {
      await control.reset();
      await control.fault({ call: CREATE, ...fault });
      const { id, lastResponse } = await client.paymentIntents.create(eur);
      expect((await control.summary()).payments.map((each) => each.id)).toEqual([id]);
      const replayed = lastResponse.headers["idempotent-replayed"];
      if (when === "after") expect(replayed).toBe("true");
    }
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

for (const [when, status] of [
  ["before", "requires_payment_method"],
  ["after", "succeeded"],
] as const)
  test(`a connection closed ${when} execution: the payment intent is charged once`, async ({
    sandbox,
    stripe,
    control,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur);
    const confirm = (client: Stripe) => {
      const params = { payment_method: "pm_card_visa" };
      return client.paymentIntents.confirm(id, params, { idempotencyKey: "confirm" });
    };
    // The package retries once even with maxNetworkRetries 0: only two dropped connections give an error.
    const twice = { call: "payment_intents.confirm", effect: "drop", when, times: 2 } as const;
    await control.fault(twice);
    expect(await errorOf(confirm(stripe))).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe(status);
    await control.fault(twice);
    const paid = await confirm(stripeFor(sandbox.url, { maxNetworkRetries: 3 }));
    expect(paid.status).toBe("succeeded");
    expect((await control.summary()).totals).toMatchObject({ taken: 1000, payments: 1 });
  });

test("half a response, or a slow one: the payment intent exists once", async ({
  stripe,
  control,
}) => {
  const create = () => stripe.paymentIntents.create(eur, { idempotencyKey: "half" });
  await control.fault({ call: CREATE, effect: "cut", times: 1 });
  expect(await errorOf(create())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  await control.fault({ call: CREATE, effect: "trickle", milliseconds: 300 });
  const start = Date.now();
  const { id } = await create();
  expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  expect((await control.summary()).payments.map((each) => each.id)).toEqual([id]);
});

test("faults match calls by name, and can be combined, listed and cleared", async ({
  stripe,
  control,
  sandbox,
}) => {
  const url = `${sandbox.url}/_sandbox/faults`;
  await control.fault(
    { call: "refunds.*", effect: "fail", when: "before", times: 1 },
    { call: "*", effect: "delay", when: "before", milliseconds: 100, times: 2 },
  );
  const start = Date.now();
  const { id } = await stripe.paymentIntents.create(eur);
  expect((await errorOf(stripe.refunds.create({ payment_intent: id }))).statusCode).toBe(500);
  expect(Date.now() - start).toBeGreaterThanOrEqual(195);
  expect(await (await fetch(url)).json()).toEqual([]);

  const drop = { call: "*", effect: "drop", when: "before", times: 100 } as const;
  await control.fault(drop);
  expect(await (await fetch(url)).json()).toEqual([drop]);
  await fetch(url, { method: "DELETE" });
  await stripe.paymentIntents.retrieve(id);
});
