import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/sandbox/cards/testing";

const eur = { amount: 1000, currency: "eur" };

test("the same request again gets the same answer, and is done once", async ({
  stripe,
  control,
}) => {
  const options = { idempotencyKey: "checkout-17" };
  const first = await stripe.paymentIntents.create(
    { ...eur, metadata: { a: "1", b: "2" } },
    options,
  );
  const second = await stripe.paymentIntents.create(
    { metadata: { b: "2", a: "1" }, currency: "eur", amount: 1000 },
    options,
  );
  expect(second).toEqual(first);
  expect(first.lastResponse.headers["idempotent-replayed"]).toBeUndefined();
  expect(second.lastResponse.headers).toMatchObject({
    "idempotent-replayed": "true",
    "original-request": first.lastResponse.requestId,
    "idempotency-key": "checkout-17",
  });
  expect(second.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
  expect((await control.summary()).payments).toHaveLength(1);

  // The answer of then, not the state of now.
  await stripe.paymentIntents.update(first.id, { amount: 2000 });
  const third = await stripe.paymentIntents.create(
    { ...eur, metadata: { a: "1", b: "2" } },
    options,
  );
  expect(third.amount).toBe(1000);
});

test("other parameters or another address with the same key are refused", async ({
  stripe,
  control,
}) => {
  const options = { idempotencyKey: "one" };
  const intent = await stripe.paymentIntents.create(eur, options);
  const others = [
    stripe.paymentIntents.create({ ...eur, amount: 1001 }, options),
    stripe.paymentIntents.create({ ...eur, metadata: { a: "b" } }, options),
    stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" }, options),
  ];
  for (const other of others) {
    const error = await errorOf(other);
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(error).toMatchObject({ statusCode: 400, rawType: "idempotency_error" });
  }
  expect((await control.summary()).payments).toMatchObject([{ status: "requires_payment_method" }]);
});

test("a declined card stays declined under its key; what was never begun is not remembered", async ({
  stripe,
}) => {
  const { id } = await stripe.paymentIntents.create(eur);
  const confirm = (payment_method: string, idempotencyKey: string) =>
    stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey });
  const first = await errorOf(confirm("pm_card_chargeDeclined", "try-1"));
  const second = await errorOf(confirm("pm_card_chargeDeclined", "try-1"));
  expect(second).toMatchObject({ statusCode: 402, code: "card_declined", charge: first.charge });
  expect(second.headers).toMatchObject({ "idempotent-replayed": "true" });
  expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);

  // A refused parameter: the corrected request may use the key.
  expect(await errorOf(confirm("pm_unknown", "try-2"))).toMatchObject({ code: "resource_missing" });
  expect((await confirm("pm_card_visa", "try-2")).status).toBe("succeeded");
  // A refusal by state is an outcome, and stays.
  const after = await errorOf(confirm("pm_card_visa", "try-3"));
  expect(after.code).toBe("payment_intent_unexpected_state");
  expect((await errorOf(confirm("pm_card_visa", "try-3"))).headers).toMatchObject({
    "idempotent-replayed": "true",
  });
});

const slowly = (milliseconds: number) =>
  ({ call: "payment_intents.create", effect: "delay", when: "before", milliseconds }) as const;

test("while a request is under way, another with its key is told so", async ({
  stripe,
  sandbox,
  control,
}) => {
  await control.fault(slowly(1_000));
  const options = { idempotencyKey: "busy" };
  const first = stripe.paymentIntents.create(eur, options);
  await expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/faults`)).json()).toEqual([]);
  const error = await errorOf(stripe.paymentIntents.create(eur, options));
  expect(error).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
  expect(error.headers).toMatchObject({ "stripe-should-retry": "true" });
  // The package asks again by itself, until it hears the same answer.
  const patient = stripeFor(sandbox.url, { maxNetworkRetries: 5 });
  const again = await patient.paymentIntents.create(eur, options);
  expect(again).toEqual(await first);
  expect((await control.summary()).payments).toHaveLength(1);
});

test("of fifty at once with one key one is done", async ({ stripe, control }) => {
  await control.fault(slowly(300));
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      stripe.paymentIntents.create(eur, { idempotencyKey: "together" }),
    ),
  );
  const [made, ...others] = (await control.summary()).payments;
  expect(others).toEqual([]);
  for (const answer of answers)
    if (answer.status === "fulfilled") expect(answer.value.id).toBe(made?.id);
    else expect(answer.reason).toMatchObject({ code: "idempotency_key_in_use" });
  expect(answers.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
});

test("fifty confirmations of one payment at once take the money once", async ({
  stripe,
  control,
}) => {
  const { id } = await stripe.paymentIntents.create(eur);
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }),
    ),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await control.summary()).totals).toMatchObject({ eur: { taken: 1000, payments: 1 } });
});

test("a key is at most 255 characters long", async ({ stripe }) => {
  await stripe.paymentIntents.create(eur, { idempotencyKey: "k".repeat(255) });
  const error = await errorOf(
    stripe.paymentIntents.create(eur, { idempotencyKey: "k".repeat(256) }),
  );
  expect(error.statusCode).toBe(400);
});
