import type Stripe from "stripe";
import { errorOf, expect, test, type WebhookReceiver } from "@/e2e/services/card-sandbox";
import { STRIPE_API_VERSION } from "@/lib/payment-settings";

const eur = { amount: 1000, currency: "eur" };
const payment = { ...eur, payment_method: "pm_card_visa", confirm: true };

const typesOf = (receiver: WebhookReceiver) => () => [...receiver.types].sort();

test("every event is delivered, with a signature that Stripe's package accepts", async ({
  stripe,
  receiver,
  control,
}) => {
  const { id } = await stripe.paymentIntents.create(eur);
  await errorOf(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_chargeDeclined" }));
  await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_authenticationRequired" });
  await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  await stripe.refunds.create({ payment_intent: id, amount: 300 });
  const other = await stripe.paymentIntents.create(eur);
  await stripe.paymentIntents.cancel(other.id);
  await expect
    .poll(typesOf(receiver))
    .toEqual([
      "charge.failed",
      "charge.refunded",
      "charge.succeeded",
      "payment_intent.canceled",
      "payment_intent.created",
      "payment_intent.created",
      "payment_intent.payment_failed",
      "payment_intent.requires_action",
      "payment_intent.succeeded",
      "refund.created",
    ]);
  const eventOf = <Type extends Stripe.Event["type"]>(type: Type) => {
    const found = receiver.events.find((event) => event.type === type);
    if (!found) throw new Error(type);
    return found as Extract<Stripe.Event, { type: Type }>;
  };
  expect(eventOf("payment_intent.created")).toMatchObject({
    object: "event",
    api_version: STRIPE_API_VERSION,
    livemode: false,
    // The snapshot, not the current state.
    data: { object: { id, object: "payment_intent", status: "requires_payment_method" } },
  });
  expect(eventOf("payment_intent.payment_failed").data.object).toMatchObject({
    id,
    status: "requires_payment_method",
    last_payment_error: { code: "card_declined" },
  });
  expect(eventOf("payment_intent.succeeded").data.object).toMatchObject({
    id,
    status: "succeeded",
    amount_received: 1000,
  });
  expect(eventOf("payment_intent.canceled").data.object.id).toBe(other.id);
  expect(eventOf("charge.refunded").data.object).toMatchObject({
    object: "charge",
    payment_intent: id,
    amount_refunded: 300,
  });
  await expect
    .poll(async () => (await control.summary()).webhooks)
    .toEqual({ pending: 0, delivered: 10, suppressed: 0 });
  expect(new Set(receiver.events.map((event) => event.id)).size).toBe(10);
});

test("a webhook is retried until it is accepted, with a fresh signature of the same bytes", async ({
  stripe,
  receiver,
  control,
}) => {
  const answers: (number | "hang-up")[] = [500, "hang-up", 302, 404];
  receiver.answer = () => answers.shift() ?? 204;
  const { id } = await stripe.paymentIntents.create(eur);
  await expect.poll(async () => (await control.summary()).webhooks.delivered).toBe(1);
  expect(receiver.received).toHaveLength(5);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  for (const event of receiver.events) expect(event.data.object).toMatchObject({ id });
});

test.describe("on demand", () => {
  test("an event is delivered twice, late, or never", async ({ stripe, receiver, control }) => {
    const webhook = "payment_intent.succeeded";
    const start = Date.now();
    await control.fault({ webhook, effect: "twice" });
    await stripe.paymentIntents.create(payment);
    await control.fault({ webhook, effect: "never", times: 1 });
    await stripe.paymentIntents.create(payment);
    await control.fault({ webhook, effect: "late", milliseconds: 700 });
    await stripe.paymentIntents.create(payment);
    await expect.poll(() => receiver.types).toHaveLength(3 + 1 + 2 + 3);
    expect(Date.now() - start).toBeGreaterThanOrEqual(695);
    expect(receiver.types.at(-1)).toBe(webhook);
    const [first, second, ...others] = receiver.events.filter(({ type }) => type === webhook);
    expect(second).toEqual(first);
    expect(others).toHaveLength(1);
    await expect
      .poll(async () => (await control.summary()).webhooks)
      .toMatchObject({ pending: 0, suppressed: 1 });
  });

  test("events are delivered out of order", async ({ stripe, receiver, control }) => {
    await control.fault({
      webhook: "payment_intent.created",
      effect: "reordered",
      milliseconds: 60_000,
    });
    const { id } = await stripe.paymentIntents.create(eur);
    // An event of another payment intent does not release the delayed one.
    await stripe.paymentIntents.create(eur);
    await expect.poll(() => receiver.types).toEqual(["payment_intent.created"]);
    await stripe.paymentIntents.cancel(id);
    await expect
      .poll(() => receiver.types)
      .toEqual(["payment_intent.created", "payment_intent.canceled", "payment_intent.created"]);
    expect(receiver.events[2]?.data.object).toMatchObject({ id });
  });
});
