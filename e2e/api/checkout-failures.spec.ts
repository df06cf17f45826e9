import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import type { CallFault, WebhookFault } from "@/sandbox/cards/faults";
import type { Api } from "../api-client";
import { expectBalance } from "../balance";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  payCartUnheard,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import type { ShopEnv } from "../shop-process";

// Faults of the payment provider. After each of them the customer can try again and pays once, and in the
// end the books of the shop and the provider agree.

/** More than the retries of the shop and of Stripe's package. */
const PERSISTENT = 6;

const CALL_FAULTS: Record<string, Partial<CallFault>> = {
  "an error once": { effect: "fail", when: "before", status: 500 },
  "an error saved under its idempotency key": {
    effect: "fail",
    when: "before",
    status: 500,
    isRemembered: true,
  },
  "an error after the work": { effect: "fail", when: "after", status: 503, times: PERSISTENT },
  "errors for a while": { effect: "fail", when: "before", status: 503, times: PERSISTENT },
  "a broken connection": { effect: "drop", when: "before", times: PERSISTENT },
  "a connection that breaks after the work": { effect: "drop", when: "after", times: PERSISTENT },
  "half a response": { effect: "cut", times: PERSISTENT },
  "a slow response": { effect: "trickle", milliseconds: 400 },
};

const closureOf = async (db: Database, secret: string) => {
  const isClosure = eq(paymentClosures.paymentIntentId, paymentIdOf(secret));
  return (await db.select().from(paymentClosures).where(isClosure))[0];
};

const paymentOf = async (cards: Cards, secret: string) =>
  (await cards.books()).payments.find(({ id }) => id === paymentIdOf(secret));

/** Settles everything that is due. */
const settle = (api: Api, shopEnv: ShopEnv) =>
  api.post<{ completed: number }>("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });

/** Waits until the reversal of a payment has this outcome. */
async function expectOutcome({
  api,
  db,
  shopEnv,
  secret,
  outcome,
}: {
  api: Api;
  db: Database;
  shopEnv: ShopEnv;
  secret: string;
  outcome: "cancelled" | "refunded";
}) {
  const outcomeNow = async () => {
    await settle(api, shopEnv);
    return (await closureOf(db, secret))?.outcome;
  };
  await expect.poll(outcomeNow).toBe(outcome);
}

test.beforeEach(({ cards }) => cards.clearFaults());

for (const [title, fault] of Object.entries(CALL_FAULTS)) {
  test(`creating a payment intent meets ${title}`, async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    await cards.fault({ ...fault, call: "payment_intents.create" });
    const first = await requestPayment({ api, buyer });
    await cards.clearFaults();
    expect([200, 503]).toContain(first.status);
    if (first.status === 503) {
      expect(first.json.error).toBe(
        "Le service de paiement est momentanément indisponible. Réessayez dans un instant.",
      );
      expect(first.headers["retry-after"]).toBe("5");
    }
    const secret = await openPayment({ api, buyer });
    if (first.status === 200) expect(first.json.clientSecret).toBe(secret);
    await cards.pay(secret);
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
    expect(await ordersOf(db, buyer.id)).toHaveLength(1);
    await expectBalance({ database: db, cards, title: `opening meets ${title}` });
  });

  // Reading a payment has no work that is done although its answer is lost.
  if (!("isRemembered" in fault) && !("when" in fault && fault.when === "after"))
    test(`confirming an order meets ${title}`, async ({ api, database: db, cards }) => {
      const { buyer } = await createBuyerWithCart({ api, db });
      const secret = await payCartUnheard({ api, buyer, cards });
      await cards.fault({ ...fault, call: "payment_intents.retrieve" });
      const first = await confirm({ api, buyer, secret });
      await cards.clearFaults();
      expect([201, 503]).toContain(first.status);
      const again = await confirm({ api, buyer, secret });
      expect(again.status).toBe(first.status === 201 ? 200 : 201);
      expect(await ordersOf(db, buyer.id)).toHaveLength(1);
      await expectBalance({ database: db, cards, title: `confirming meets ${title}` });
    });

  test(`cancelling a payment intent meets ${title}`, async ({ api, database: db, cards }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    const former = await openPayment({ api, buyer });
    await addToCart({ api, buyer, productId: product.id });
    await cards.fault({ ...fault, call: "payment_intents.cancel" });
    const first = await requestPayment({ api, buyer });
    await cards.clearFaults();
    expect([200, 503]).toContain(first.status);
    const secret = await openPayment({ api, buyer });
    expect(secret).not.toBe(former);
    expect((await cards.pay(former)).status).toBe(400);
    await cards.pay(secret);
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
    expect((await ordersOf(db, buyer.id)).map(({ totalCents }) => totalCents)).toEqual([8580]);
    await expectBalance({ database: db, cards, title: `taking back meets ${title}` });
  });

  test(`refunding meets ${title}`, async ({ api, database: db, cards, shopEnv }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await payCartUnheard({ api, buyer, cards });
    await api.delete("/api/account/delete/hard", { token: buyer.token });
    await cards.fault({ ...fault, call: "refunds.create" });
    await settle(api, shopEnv);
    await cards.clearFaults();
    await expectOutcome({ api, db, shopEnv, secret, outcome: "refunded" });
    expect(await paymentOf(cards, secret)).toMatchObject({ taken: 4290, refunded: 4290 });
    await expectBalance({ database: db, cards, title: `giving back meets ${title}` });
  });
}

test("a payment is refunded although its buyer's sealed address cannot be opened any more", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCartUnheard({ api, buyer, cards });
  await api.delete("/api/account/delete/hard", { token: buyer.token });
  await cards.fault({ call: "refunds.create", effect: "fail", when: "before", times: PERSISTENT });
  const isClosure = eq(paymentClosures.paymentIntentId, paymentIdOf(secret));
  const look = async () => {
    await settle(api, shopEnv);
    return closureOf(db, secret);
  };
  // The recipient is sealed with a secret that has been replaced since.
  await expect.poll(look).toMatchObject({ outcome: null, recipient: expect.any(String) });
  await db.update(paymentClosures).set({ recipient: "of another secret" }).where(isClosure);
  await cards.clearFaults();
  await expect.poll(look).toMatchObject({ outcome: "refunded", recipient: null });
  await expectBalance({ database: db, cards, title: "a buyer who cannot be told" });
});

for (const { title, isErased } of [
  { title: "the account was erased", isErased: true },
  { title: "the checkout was given up", isErased: false },
])
  test(`a payment that the provider has denied once is refunded when it is paid after all: ${title}`, async ({
    api,
    database: db,
    cards,
    mailbox,
    shopEnv,
  }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    await cards.fault({ call: "payment_intents.retrieve", effect: "deny", times: 1_000 });
    if (isErased) {
      await api.delete("/api/account/delete/hard", { token: buyer.token });
    } else {
      // The reconciler gives up the checkout, because its payment does not exist.
      await settle(api, shopEnv);
      const paymentIntentId = paymentIdOf(secret);
      await db.insert(paymentClosures).values({ paymentIntentId, reason: "cancelled" });
    }
    await expectOutcome({ api, db, shopEnv, secret, outcome: "cancelled" });

    await cards.clearFaults();
    expect((await cards.pay(secret)).status).toBe(200);
    await expectDelivered(cards);
    await expectOutcome({ api, db, shopEnv, secret, outcome: "refunded" });
    expect(await paymentOf(cards, secret)).toMatchObject({ taken: 4290, refunded: 4290 });
    expect(await closureOf(db, secret)).toMatchObject({ refundedCents: 4290, recipient: null });
    expect(await ordersOf(db, buyer.id)).toEqual([]);
    if (!isErased) await mailbox.waitForMail({ to: buyer.email, subject: /est remboursé$/ });
    await expectBalance({ database: db, cards, title: `denied, then paid: ${title}` });
  });

test("a payment that succeeds while its reversal gets a 404 is refunded", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  await cards.fault(
    { call: "payment_intents.retrieve", effect: "delay", when: "before", milliseconds: 4_000 },
    { call: "payment_intents.retrieve", effect: "deny" },
  );
  // The first attempt waits for the answer that denies the payment.
  await api.delete("/api/account/delete/hard", { token: buyer.token });
  const first = settle(api, shopEnv);
  await expect.poll(async () => cards.faults()).toEqual([]);
  expect((await cards.pay(secret)).status).toBe(200);
  await expectDelivered(cards);
  await first;
  await expectOutcome({ api, db, shopEnv, secret, outcome: "refunded" });
  await expectBalance({ database: db, cards, title: "paid while it is denied" });
});

const WEBHOOK_FAULTS: Record<string, (Partial<CallFault> | Partial<WebhookFault>)[]> = {
  twice: [{ webhook: "payment_intent.*", effect: "twice", times: 4 }],
  late: [{ webhook: "payment_intent.succeeded", effect: "late", milliseconds: 700 }],
  "in the wrong order": [
    { webhook: "payment_intent.created", effect: "reordered", milliseconds: 2_000 },
    { webhook: "payment_intent.succeeded", effect: "reordered", milliseconds: 300 },
  ],
};

for (const [title, faults] of Object.entries(WEBHOOK_FAULTS)) {
  test(`the provider's events arrive ${title}`, async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    await cards.fault(...faults);
    // The browser is closed after paying.
    await payCart({ api, buyer, cards });
    await expect.poll(async () => (await ordersOf(db, buyer.id)).length).toBe(1);
    await expectDelivered(cards);
    expect(await ordersOf(db, buyer.id)).toHaveLength(1);
    await expectBalance({ database: db, cards, title: `events ${title}` });
  });
}

test("a former payment of a checkout that is cancelled does not end the checkout", async ({
  api,
  database: db,
  cards,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const { payments } = await cards.books();
  const metadata = payments.find(({ id }) => id === paymentIdOf(secret))?.metadata;
  // A payment that was opened a day ago, and whose response was lost.
  const { json: former } = await cards.call("payment_intents", {
    amount: "4290",
    currency: "eur",
    "metadata[checkout]": metadata?.checkout ?? "",
    "metadata[shop]": metadata?.shop ?? "",
  });
  await cards.call(`payment_intents/${former.id}/cancel`);
  await expectDelivered(cards);
  await cards.pay(secret);
  const { status, text } = await confirm({ api, buyer, secret });
  expect([200, 201], text).toContain(status);
  await expectBalance({ database: db, cards, title: "a former payment" });
});

test("without events and with the browser closed, the reconciler completes the order", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  await payCartUnheard({ api, buyer, cards });
  expect((await settle(api, shopEnv)).json.completed).toBe(1);
  expect((await settle(api, shopEnv)).json.completed).toBe(0);
  expect(await ordersOf(db, buyer.id)).toHaveLength(1);
  await expectBalance({ database: db, cards, title: "no events" });
});

test("while the provider is down buyers get an error, and nothing is lost", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const shoppers = await Promise.all(
    Array.from({ length: 5 }, () => createBuyerWithCart({ api, db })),
  );
  const ask = ({ buyer }: { buyer: Buyer }) => requestPayment({ api, buyer });
  await cards.fault({ call: "*", effect: "fail", when: "before", status: 503, times: 1_000 });
  const refused = await Promise.all(shoppers.map(ask));
  expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(503));
  expect((await settle(api, shopEnv)).status).toBe(200);
  await cards.clearFaults();
  const opened = await Promise.all(shoppers.map(ask));
  expect(opened.map(({ status }) => status)).toEqual(Array(5).fill(200));
  for (const { buyer } of shoppers) {
    const rows = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(rows.filter(({ status }) => status === "pending")).toHaveLength(1);
  }
  await expectBalance({ database: db, cards, title: "provider away" });
});
