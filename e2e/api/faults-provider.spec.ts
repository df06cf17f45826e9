import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { checkouts } from "@/db/schema/checkout";
import { balanceOf, expectBalance } from "../balance";
import {
  confirm,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  requestPayment,
} from "../buying";
import { paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { startTamperingProvider, type TamperingProvider } from "../tampering-provider";

// A card provider with wrong or slow responses. checkout-failures.spec.ts tests outages and errors.

const UNAVAILABLE =
  "Le service de paiement est momentanément indisponible. Réessayez dans un instant.";
const REFUNDED =
  "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.";

const RETRIEVE = "GET /v1/payment_intents/";
const CREATE = "POST /v1/payment_intents";

const changed = (values: Record<string, unknown>) => (answer: string) =>
  JSON.stringify({ ...JSON.parse(answer), ...values });

test.beforeEach(({ cards }) => cards.clearFaults());

let provider: TamperingProvider | undefined;
test.afterEach(async () => {
  await provider?.stop();
  provider = undefined;
});

test("false responses never create an order", async ({
  cards,
  database: db,
  shopEnv,
  shopWith,
}) => {
  test.slow();
  provider = await startTamperingProvider(cards.url);
  const { tamper, url } = provider;
  const { api } = await shopWith({ database: "shared", env: { STRIPE_API_BASE: url } });
  const step = (name: string, run: () => Promise<void>) =>
    test.step(name, async () => {
      await cards.clearFaults();
      await cards.fault({ webhook: "*", effect: "never", times: 100 });
      await run();
    });

  await step("impossible responses change nothing; correct ones do", async () => {
    // Another customer's payment and its order must stay unchanged.
    const { buyer: stranger } = await createBuyerWithCart({ api, db });
    const strangers = await payCart({ api, buyer: stranger, cards });
    expect((await confirm({ api, buyer: stranger, secret: strangers })).status).toBe(201);

    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await payCart({ api, buyer, cards });
    for (const falseResponse of [
      ...[{ id: paymentIdOf(strangers) }, { id: undefined }, { metadata: null }].map(changed),
      ...[{ amount_received: "4290" }, { amount_received: 42.9 }].map(changed),
      ...["<html>Bienvenue</html>", "{}", "null", "[]", ""].map((text) => () => text),
    ]) {
      tamper(RETRIEVE, falseResponse);
      const answer = await confirm({ api, buyer, secret });
      expect([answer.status, answer.json.error], answer.text).toEqual([503, UNAVAILABLE]);
    }
    // The provider says that the payment is unpaid: the customer may try again.
    tamper(RETRIEVE, changed({ status: "requires_payment_method", amount_received: 0 }));
    expect((await confirm({ api, buyer, secret })).status).toBe(402);
    expect(await ordersOf(db, buyer.id)).toHaveLength(0);

    tamper(RETRIEVE);
    expect((await confirm({ api, buyer, secret })).status).toBe(201);
    expect(await ordersOf(db, buyer.id)).toHaveLength(1);
    expect(await ordersOf(db, stranger.id)).toHaveLength(1);
    await expectBalance({ database: db, cards, title: "impossible answers" });
  });

  for (const [what, values] of [
    ["another amount", { amount_received: 1 }],
    ["another currency", { currency: "usd" }],
  ] as const)
    await step(`a payment of ${what} is refunded`, async () => {
      const { buyer } = await createBuyerWithCart({ api, db });
      const secret = await payCart({ api, buyer, cards });
      tamper(RETRIEVE, changed(values));
      const answer = await confirm({ api, buyer, secret });
      expect([answer.status, answer.json.error]).toEqual([409, REFUNDED]);
      tamper(RETRIEVE);
      const settle = () => api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
      const refundedCents = async () => {
        await settle();
        const { payments } = await cards.books();
        return payments.find(({ id }) => id === paymentIdOf(secret))?.refunded;
      };
      await expect.poll(refundedCents).toBe(4290);
      // The shop records the refund once the provider has answered.
      const unsettled = async () => (await balanceOf({ database: db, cards })).unsettled;
      await expect.poll(unsettled).toBe(0);
      expect(await ordersOf(db, buyer.id)).toHaveLength(0);
      await expectBalance({ database: db, cards, title: `${what} claimed` });
    });

  await step("another amount's or checkout's intent is never used", async () => {
    const { buyer: stranger } = await createBuyerWithCart({ api, db });
    const strangers = paymentIdOf(await openPayment({ api, buyer: stranger }));
    const { buyer } = await createBuyerWithCart({ api, db });
    for (const lie of [
      changed({ amount: 1 }),
      changed({ currency: "usd" }),
      changed({ id: strangers }),
      changed({ id: strangers, metadata: {} }),
    ]) {
      tamper(CREATE, lie);
      const { status, json } = await requestPayment({ api, buyer });
      expect([status, json.error]).toEqual([503, UNAVAILABLE]);
      tamper(CREATE);
    }
    const secret = await openPayment({ api, buyer });
    await cards.pay(secret);
    expect((await confirm({ api, buyer, secret })).status).toBe(201);
    await expectBalance({ database: db, cards, title: "wrong payments opened" });
  });
});

test("signed events about unknown payments make no order", async ({ api, cards, database: db }) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const id = paymentIdOf(secret);
  const readCheckout = async () =>
    (await db.select().from(checkouts).where(eq(checkouts.paymentIntentId, id)))[0];
  const payment = {
    id,
    object: "payment_intent",
    status: "succeeded",
    amount: 4290,
    amount_received: 4290,
    currency: "eur",
    created: 1,
    metadata: { checkout: (await readCheckout())?.id, shop: "http://127.0.0.1" },
  };
  /** Sends an event as the provider does, with its signature. */
  const send = async (type: string, object: Record<string, unknown>) => {
    const event = { id: `evt_${randomUUID()}`, object: "event", type, data: { object } };
    const body = JSON.stringify(event);
    const headers = { "Content-Type": "application/json", "Stripe-Signature": cards.sign(body) };
    return (await api.post("/api/stripe/webhook", { body, headers, mayFail: true })).status;
  };
  // A payment that nobody has paid.
  expect(await send("payment_intent.succeeded", payment)).toBe(200);
  expect(await send("payment_intent.canceled", payment)).toBe(200);
  expect((await readCheckout())?.status).toBe("pending");
  // An unknown payment, and objects that are none.
  expect(await send("payment_intent.succeeded", { ...payment, id: "pi_unknown" })).toBe(200);
  for (const nonsense of [{}, { id: 7, object: "payment_intent" }])
    expect(await send("payment_intent.succeeded", nonsense)).toBe(400);
  // During an outage of the provider the event is refused, to be sent again.
  const call = "payment_intents.retrieve";
  await cards.fault({ call, effect: "drop", when: "before", times: 9 });
  expect(await send("payment_intent.succeeded", payment)).toBe(503);
  await cards.clearFaults();

  expect(await ordersOf(db, buyer.id)).toHaveLength(0);
  await cards.pay(secret);
  expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
  expect(await ordersOf(db, buyer.id)).toHaveLength(1);
  await expectBalance({ database: db, cards, title: "events that are not true" });
});

test("a slow provider times out, and nobody pays twice", async ({ api, cards, database: db }) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  await cards.fault({
    call: "payment_intents.create",
    effect: "delay",
    when: "before",
    milliseconds: 11_000,
    times: 5,
  });
  const { status, json, headers } = await requestPayment({ api, buyer });
  expect([status, json.error, headers["retry-after"]]).toEqual([503, UNAVAILABLE, "5"]);
  await cards.clearFaults();
  // The first attempt is still running. Repeated requests are refused until it is done.
  await expect
    .poll(async () => (await requestPayment({ api, buyer })).status, { timeout: 20_000 })
    .toBe(200);
  const secret = await openPayment({ api, buyer });
  await cards.pay(secret);
  expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
  const { payments } = await cards.books();
  const [{ paymentIntentId = "" } = {}] = await ordersOf(db, buyer.id);
  expect(paymentIntentId).toBe(paymentIdOf(secret));
  expect(payments.filter(({ id }) => id === paymentIntentId)).toHaveLength(1);
  await expectBalance({ database: db, cards, title: "slow provider" });
});
