import Stripe from "stripe";
import {
  Control,
  errorOf,
  expect,
  stripeFor,
  test,
  WEBHOOK_SECRET,
  WebhookReceiver,
} from "@/e2e/services/card-sandbox";
import { STRIPE_API_VERSION } from "@/lib/payment-settings";
import { startCardSandbox } from "@/sandbox/cards/server";

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
  const created = eventOf("payment_intent.created");
  expect(created).toMatchObject({
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
  const refunded = eventOf("charge.refunded");
  expect(refunded.data).toMatchObject({
    object: { object: "charge", payment_intent: id, amount_refunded: 300 },
  });
  await expect
    .poll(async () => (await control.summary()).webhooks)
    .toEqual({ pending: 0, delivered: 10, suppressed: 0 });
  expect(new Set(receiver.events.map((event) => event.id)).size).toBe(10);
});

test("the signature covers payload, secret and timestamp", async ({ stripe, receiver }) => {
  await stripe.paymentIntents.create(eur);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [webhook] = receiver.received;
  if (!webhook) throw new Error("nothing received");
  const { body, headers } = webhook;
  const signature = String(headers["stripe-signature"]);
  expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  const verify = (text: string, header: string, secret = WEBHOOK_SECRET) =>
    Stripe.webhooks.constructEvent(text, header, secret);
  expect(verify(body, signature).type).toBe("payment_intent.created");
  const wrong = Stripe.errors.StripeSignatureVerificationError;
  expect(() => verify(body.replace("1000", "1"), signature)).toThrow(wrong);
  expect(() => verify(body, signature, "whsec_other")).toThrow(wrong);
  expect(() => verify(body, signature.replace(/t=\d+/, "t=1"))).toThrow(wrong);
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

test("a shop that was down gets everything once it is up", async ({ folder, receiver }) => {
  const away = await WebhookReceiver.start();
  const { url } = away;
  await away.stop();
  const lines: string[] = [];
  const sandbox = await startCardSandbox({
    port: 0,
    dataFile: `${folder}/away.jsonl`,
    webhookUrl: url,
    webhookSecret: WEBHOOK_SECRET,
    log: (line) => lines.push(line),
    retry: { firstMs: 20, maxMs: 100 },
  });
  await stripeFor(sandbox.url).paymentIntents.create(payment);
  await expect.poll(() => lines.length).toBe(3);
  expect(lines.join("\n")).toContain("payment_intent.created non reçu");
  // The endpoint is reachable again at another URL.
  const moved = await fetch(`${sandbox.url}/_sandbox/webhook`, {
    method: "POST",
    body: JSON.stringify({ url: receiver.url }),
  });
  expect(moved.status).toBe(200);
  await expect
    .poll(typesOf(receiver))
    .toEqual(["charge.succeeded", "payment_intent.created", "payment_intent.succeeded"]);
  await sandbox.stop();
});

test.describe("on demand", () => {
  test("an event is delivered twice, identically", async ({ stripe, receiver, control }) => {
    await control.fault({ webhook: "payment_intent.succeeded", effect: "twice" });
    await stripe.paymentIntents.create(payment);
    await expect
      .poll(typesOf(receiver))
      .toEqual([
        "charge.succeeded",
        "payment_intent.created",
        "payment_intent.succeeded",
        "payment_intent.succeeded",
      ]);
    const twice = receiver.events.filter(({ type }) => type === "payment_intent.succeeded");
    expect(twice[0]).toEqual(twice[1]);
    await expect.poll(async () => (await control.summary()).webhooks.pending).toBe(0);
  });

  test("an event is delivered late", async ({ stripe, receiver, control }) => {
    await control.fault({ webhook: "payment_intent.succeeded", effect: "late", milliseconds: 700 });
    const start = Date.now();
    await stripe.paymentIntents.create(payment);
    await expect.poll(() => receiver.types).toHaveLength(3);
    expect(Date.now() - start).toBeGreaterThanOrEqual(695);
    expect(receiver.types.at(-1)).toBe("payment_intent.succeeded");
    await expect.poll(async () => (await control.summary()).webhooks.delivered).toBe(3);
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

  test("a held event is delivered after the timeout when no other follows", async ({
    stripe,
    receiver,
    control,
  }) => {
    await control.fault({ webhook: "*", effect: "reordered", milliseconds: 300 });
    const start = Date.now();
    await stripe.paymentIntents.create(eur);
    await expect.poll(() => receiver.types).toEqual(["payment_intent.created"]);
    expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  });

  test("an event is never delivered", async ({ stripe, receiver, control }) => {
    await control.fault({ webhook: "payment_intent.succeeded", effect: "never", times: 1 });
    await stripe.paymentIntents.create(payment);
    await stripe.paymentIntents.create(payment);
    await expect.poll(() => receiver.received.length).toBe(5);
    expect(receiver.types.filter((type) => type === "payment_intent.succeeded")).toHaveLength(1);
    await expect
      .poll(async () => (await control.summary()).webhooks)
      .toMatchObject({ pending: 0, suppressed: 1 });
  });
});

test("many concurrent events are each delivered once", async ({ sandbox, receiver }) => {
  const stripe = stripeFor(sandbox.url);
  const control = new Control(sandbox.url);
  await Promise.all(Array.from({ length: 60 }, () => stripe.paymentIntents.create(payment)));
  await expect.poll(async () => (await control.summary()).webhooks.delivered).toBe(180);
  expect(receiver.received).toHaveLength(180);
  expect(new Set(receiver.events.map((event) => event.id)).size).toBe(180);
});
