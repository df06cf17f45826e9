import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/e2e/services/card-sandbox";

const eur = { amount: 1000, currency: "eur" };

test("a repeated request is executed once and gets the same response", async ({
  stripe,
  control,
}) => {
  const create = (params: Stripe.PaymentIntentCreateParams) =>
    stripe.paymentIntents.create(params, { idempotencyKey: "checkout-17" });
  const first = await create({ ...eur, metadata: { a: "1", b: "2" } });
  const second = await create({ metadata: { b: "2", a: "1" }, currency: "eur", amount: 1000 });
  expect(second).toEqual(first);
  expect(first.lastResponse.headers["idempotent-replayed"]).toBeUndefined();
  expect(second.lastResponse.headers).toMatchObject({ "idempotent-replayed": "true" });
  expect(second.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
  expect((await control.summary()).payments).toHaveLength(1);
  // The saved response, not the current state.
  await stripe.paymentIntents.cancel(first.id);
  const third = await create({ ...eur, metadata: { a: "1", b: "2" } });
  expect(third.status).toBe("requires_payment_method");
});

test("other parameters or another path with the same key are refused", async ({
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

test("a decline is saved under its key; a request that was not executed is not", async ({
  stripe,
}) => {
  const { id } = await stripe.paymentIntents.create(eur);
  const confirm = (payment_method: string, idempotencyKey: string) =>
    stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey });
  const first = await errorOf(confirm("pm_card_chargeDeclined", "try-1"));
  const second = await errorOf(confirm("pm_card_chargeDeclined", "try-1"));
  expect(second).toMatchObject({ statusCode: 402, code: "card_declined", charge: first.charge });
  expect(second.headers).toMatchObject({ "idempotent-replayed": "true" });
  const declined = await stripe.paymentIntents.retrieve(id);
  expect(declined).toMatchObject({ status: "requires_payment_method", amount_received: 0 });

  // After an invalid parameter the corrected request may reuse the key.
  expect(await errorOf(confirm("pm_unknown", "try-2"))).toMatchObject({ code: "resource_missing" });
  expect((await confirm("pm_card_visa", "try-2")).status).toBe("succeeded");
  // An unexpected state counts as executed, so the response is saved.
  const after = await errorOf(confirm("pm_card_visa", "try-3"));
  expect(after.code).toBe("payment_intent_unexpected_state");
  expect((await errorOf(confirm("pm_card_visa", "try-3"))).headers).toMatchObject({
    "idempotent-replayed": "true",
  });
});

test("while a request is in progress, another with its key gets 409", async ({
  stripe,
  sandbox,
  control,
}) => {
  const slowly = { effect: "delay", when: "before", milliseconds: 2_000 } as const;
  await control.fault({ call: "payment_intents.create", ...slowly });
  const options = { idempotencyKey: "busy" };
  const first = stripe.paymentIntents.create(eur, options);
  const faults = async () => (await fetch(`${sandbox.url}/_sandbox/faults`)).json();
  await expect.poll(faults, { intervals: [20] }).toEqual([]);
  const error = await errorOf(stripe.paymentIntents.create(eur, options));
  expect(error).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
  // The package retries until it gets the same response.
  const patient = stripeFor(sandbox.url, { maxNetworkRetries: 5 });
  const again = await patient.paymentIntents.create(eur, options);
  expect(again).toEqual(await first);
  expect((await control.summary()).payments).toHaveLength(1);
});

test("fifty concurrent confirmations of one payment intent charge it once", async ({
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
  expect((await control.summary()).totals).toMatchObject({ taken: 1000, payments: 1 });
});
