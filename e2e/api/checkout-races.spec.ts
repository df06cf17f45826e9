import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import type { Api } from "../api-client";
import { expectBalance } from "../balance";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  payCartUnheard,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { countLockWaits, withTableLock } from "../table-lock";

// Concurrent requests. After each test the books of the shop and the provider are compared, to the cent.

const overADayAgo = () => new Date(Date.now() - 25 * 3_600_000);

const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort();

/** Expects one order, and books that agree. Returns the order. */
async function expectOneOrder({ db, cards, buyer }: { db: Database; cards: Cards; buyer: Buyer }) {
  const bought = await ordersOf(db, buyer.id);
  expect(bought).toHaveLength(1);
  await expectBalance({ database: db, cards, title: test.info().title });
  return bought[0];
}

test("50 concurrent confirmations of one payment create one order", async ({
  api,
  database: db,
  cards,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCartUnheard({ api, buyer, cards });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => confirm({ api, buyer, secret })),
  );
  expect(statusesOf(answers)).toEqual([...Array(49).fill(200), 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await expectOneOrder({ db, cards, buyer });
});

test("the browser's confirmation and the provider's event concurrently create one order", async ({
  api,
  database: db,
  cards,
}) => {
  const buyers = await Promise.all(
    Array.from({ length: 12 }, () => createBuyerWithCart({ api, db })),
  );
  await cards.fault({ webhook: "payment_intent.succeeded", effect: "twice", times: 12 });
  const answers = await Promise.all(
    buyers.map(async ({ buyer }) => {
      const secret = await openPayment({ api, buyer });
      // Confirms right after paying, while the event is on its way.
      await cards.pay(secret);
      return Promise.all([confirm({ api, buyer, secret }), confirm({ api, buyer, secret })]);
    }),
  );
  for (const pair of answers) {
    for (const { status } of pair) expect([200, 201]).toContain(status);
    expect(new Set(pair.map(({ text }) => text)).size).toBe(1);
  }
  await expectDelivered(cards);
  for (const { buyer } of buyers) expect(await ordersOf(db, buyer.id)).toHaveLength(1);
  await expectBalance({ database: db, cards, title: "browser against provider" });
});

test("concurrent requests on two instances create one payment intent and one order", async ({
  api,
  database: db,
  cards,
  shop,
  shopWith,
}) => {
  // Instances of one shop have the same SITE_URL.
  const second = await shopWith({ database: "shared", env: { SITE_URL: shop.baseURL } });
  const { buyer } = await createBuyerWithCart({ api, db });
  await cards.fault({
    call: "payment_intents.create",
    effect: "delay",
    when: "before",
    milliseconds: 300,
  });
  const onBoth = <Answer>(ask: (api: Api) => Promise<Answer>) =>
    Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? api : second.api)));
  const answers = await onBoth((at) => requestPayment({ api: at, buyer }));
  expect(statusesOf(answers)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ json }) => json.clientSecret)).size).toBe(1);
  const rows = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
  expect(rows).toHaveLength(1);
  const { payments } = await cards.books();
  expect(payments.filter(({ metadata }) => metadata.checkout === rows[0]?.id)).toHaveLength(1);
  const secret = answers[0]?.json.clientSecret ?? "";
  await cards.pay(secret);
  const confirmed = await onBoth((at) => confirm({ api: at, buyer, secret }));
  for (const { status } of confirmed) expect([200, 201]).toContain(status);
  await expectOneOrder({ db, cards, buyer });
});

test("a cart that changes while two tabs pay is charged once, at a total that was shown", async ({
  api,
  database: db,
  cards,
}) => {
  const { buyer, product } = await createBuyerWithCart({ api, db, priceCents: 1000 });
  const first = await openPayment({ api, buyer });
  // One tab pays while the other one adds a piece and opens the payment again.
  const [paid, reopened] = await Promise.all([
    cards.pay(first),
    addToCart({ api, buyer, productId: product.id }).then(() => requestPayment({ api, buyer })),
  ]);
  if (paid.status === 200) {
    // The payment succeeded before it could be cancelled, so it becomes the order. The other tab gets a
    // 409; if the order was complete already, that tab pays the added piece.
    expect(paid.json.amount).toBe(1000);
    await confirm({ api, buyer, secret: first });
    if (reopened.status === 200) expect(reopened.json.clientSecret).not.toBe(first);
    else expect(reopened.status).toBe(409);
  } else {
    expect(reopened.status).toBe(200);
    const second = await cards.pay(reopened.json.clientSecret);
    expect(second.json.amount).toBe(2000);
    await confirm({ api, buyer, secret: reopened.json.clientSecret });
  }
  const order = await expectOneOrder({ db, cards, buyer });
  expect(order?.totalCents).toBe(paid.status === 200 ? 1000 : 2000);
});

test("a payment that is opened while the order is being written does not sell the cart again", async ({
  api,
  database: db,
  cards,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCartUnheard({ api, buyer, cards });
  // The order waits for its number; the cart's lines are still visible to others.
  const answers = await withTableLock(db, "document_numbers", async () => {
    const confirmed = confirm({ api, buyer, secret });
    await expect.poll(() => countLockWaits(db)).toBe(1);
    const reopened = requestPayment({ api, buyer });
    await expect.poll(() => countLockWaits(db)).toBe(2);
    return { confirmed, reopened };
  });
  expect((await answers.confirmed).status).toBe(201);
  const { status, text } = await answers.reopened;
  expect(status, text).toBe(422);
  await expectOneOrder({ db, cards, buyer });
});

test("concurrent buyers of the same products: unique numbers, exact sales counts", async ({
  api,
  database: db,
  cards,
}) => {
  const { buyer: first, product: a } = await createBuyerWithCart({ api, db });
  const { buyer: second, product: b } = await createBuyerWithCart({ api, db });
  const others = await Promise.all(Array.from({ length: 10 }, () => createBuyer(db)));
  await addToCart({ api, buyer: first, productId: b.id });
  await addToCart({ api, buyer: second, productId: a.id });
  for (const [i, buyer] of others.entries()) {
    // In both orders, in case the shop locks products one after the other.
    for (const { id } of i % 2 ? [a, b] : [b, a])
      await addToCart({ api, buyer, productId: id, quantity: 2 });
  }
  const answers = await Promise.all(
    [first, second, ...others].map(async (buyer) => {
      const secret = await payCart({ api, buyer, cards });
      return confirm({ api, buyer, secret });
    }),
  );
  for (const { status, text } of answers) expect([200, 201], text).toContain(status);
  for (const { id } of [a, b]) {
    const { json } = await api.get<{ sales_count: number }>(`/api/products/${id}`);
    expect(json.sales_count).toBe(22);
  }
  await expectBalance({ database: db, cards, title: "many buyers" });
});

test("unpaid checkouts are kept while they are recent, and cancelled when they are old", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const isCheckout = eq(checkouts.paymentIntentId, paymentIdOf(secret));
  const look = () => api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  const statusOf = async () => (await db.select().from(checkouts).where(isCheckout))[0]?.status;
  expect((await look()).status).toBe(200);
  expect(await statusOf()).toBe("pending");
  await db.update(checkouts).set({ updatedAt: overADayAgo() }).where(isCheckout);
  await look();
  expect(await statusOf()).toBe("cancelled");
  expect((await cards.pay(secret)).status).toBe(400);
  expect(await openPayment({ api, buyer })).not.toBe(secret);
});

/** Pays and confirms, and expects one order. */
async function expectBought(options: {
  api: Api;
  db: Database;
  cards: Cards;
  buyer: Buyer;
  secret: string;
}): Promise<void> {
  expect((await options.cards.pay(options.secret)).json.status).toBe("succeeded");
  expect([200, 201]).toContain((await confirm(options)).status);
  await expectOneOrder(options);
}

test("a payment intent that is reused after a day is not cancelled while it is being paid", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  await db
    .update(checkouts)
    .set({ updatedAt: overADayAgo() })
    .where(eq(checkouts.paymentIntentId, paymentIdOf(secret)));
  expect(await openPayment({ api, buyer })).toBe(secret);
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  await expectBought({ api, db, cards, buyer, secret });
});

test("an old checkout that gets a payment intent during the reconciliation is kept", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const paymentId = paymentIdOf(secret);
  const [checkout] = await db
    .update(checkouts)
    .set({ paymentIntentId: null, updatedAt: overADayAgo() })
    .where(eq(checkouts.paymentIntentId, paymentId))
    .returning();
  // The trigger runs after the reconciler has read the checkout, and before it decides.
  await db.execute(sql`
    create function attach_meanwhile() returns trigger language plpgsql as ${sql.raw(`$$
    begin
      update checkouts set payment_intent_id = '${paymentId}', updated_at = now() where id = new.id;
      return null;
    end $$`)}`);
  await db.execute(
    sql.raw(`create trigger attach_meanwhile after update of next_check_at on checkouts
    for each row when (new.id = '${checkout?.id}') execute function attach_meanwhile()`),
  );
  try {
    await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  } finally {
    await db.execute(sql`drop function attach_meanwhile cascade`);
  }
  await expectBought({ api, db, cards, buyer, secret });
});
