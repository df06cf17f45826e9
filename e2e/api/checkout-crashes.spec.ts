import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrateDatabase } from "@/db/migrate";
import { carts } from "@/db/schema/cart";
import { paymentClosures } from "@/db/schema/checkout";
import { seedDemo } from "@/db/seed/demo";
import { isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { startPostgres } from "@/sandbox/postgres";
import type { Api } from "../api-client";
import { expectBalance } from "../balance";
import {
  type Buyer,
  confirm,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  requestPayment,
} from "../buying";
import { expectDelivered, startCards } from "../cards";
import { expect } from "../fixtures";
import { IsolatedShop, test } from "../isolated-shop";
import { expectStockAddsUp, movementsOf } from "../stock";

// Crashes: the shop is killed at each step of completing an order, its connections to the database are
// cut, or the database itself is stopped. Then everything is started again, and the books of the shop and
// the provider must agree. To hold the shop at a step, a test locks the row that the step needs: the shop
// contains no code for tests.

// Each test starts a shop twice.
test.describe.configure({ timeout: 120_000 });

/** Expects that the returning customer finds exactly one order. */
async function expectOneOrder(
  { database, cards }: IsolatedShop,
  purchase: { api: Api; buyer: Buyer; secret: string },
): Promise<void> {
  const { api, buyer } = purchase;
  const [order, ...others] = await ordersOf(database, buyer.id);
  expect(others).toEqual([]);
  const again = await confirm(purchase);
  expect([again.status, again.json.orderId]).toEqual([200, order?.id]);
  const { json } = await api.get<{ items: unknown[] }>("/api/cart", { token: buyer.token });
  expect(json.items).toEqual([]);
  const { title } = test.info();
  await expectBalance({ database, cards, title, orders: 1, isAlone: true });
}

/** For each step of completing an order, the lock that makes the step wait. */
const STEPS: Record<string, string> = {
  "before it has done anything": "lock table checkouts in access exclusive mode",
  "when it wants the cart": "select from carts for update",
  "when it wants the lines of the cart": "select from cart_items for update",
  "when it wants the products": "select from products for update",
};

/** Locks for the steps that are sent together with COMMIT: PostgreSQL may finish them without the shop. */
const LAST_STEPS: Record<string, string> = {
  "when it wants the order's number":
    "select from document_numbers where kind = 'order' for update",
  "when it writes the order's lines": "lock table order_lines in exclusive mode",
  "when it writes the movements of the stock": "lock table stock_movements in exclusive mode",
  "when it wants the invoice's number":
    "select from document_numbers where kind = 'invoice' for update",
  "when it writes the mail": "lock table mail_outbox in exclusive mode",
};

for (const [step, lock] of Object.entries({ ...STEPS, ...LAST_STEPS })) {
  test(`the shop is killed ${step}`, async ({ isolatedShop }) => {
    const { database, cards } = isolatedShop;
    const api = await isolatedShop.start();
    const { buyer, product } = await createBuyerWithCart({ api, db: database, stock: 1 });
    await cards.fault({ webhook: "*", effect: "never", times: 5 });
    const secret = await payCart({ api, buyer, cards });
    await isolatedShop.withLock(lock, async () => {
      const lost = confirm({ api, buyer, secret }).catch((error: unknown) => error);
      await isolatedShop.waitForBlockedQuery();
      await isolatedShop.kill();
      expect(await lost).toBeInstanceOf(Error);
    });
    const restarted = await isolatedShop.start();
    const { length } = await ordersOf(database, buyer.id);
    expect(length).toBeLessThanOrEqual(step in LAST_STEPS ? 1 : 0);
    await isolatedShop.reconcile(restarted);
    await expectOneOrder(isolatedShop, { api: restarted, buyer, secret });
    expect(await movementsOf(database, product.id)).toEqual(["correction 1", "sale -1"]);
    await expectStockAddsUp(database);
  });
}

test("the shop is killed after the commit, before its response", async ({ isolatedShop }) => {
  const { database, cards } = isolatedShop;
  const api = await isolatedShop.start();
  const { buyer } = await createBuyerWithCart({ api, db: database });
  await cards.fault({ webhook: "*", effect: "never", times: 5 });
  const secret = await payCart({ api, buyer, cards });
  const answering = confirm({ api, buyer, secret }).catch((error: unknown) => error);
  await expect
    .poll(async () => (await ordersOf(database, buyer.id)).length, { intervals: [1] })
    .toBe(1);
  await isolatedShop.kill();
  await answering;
  const restarted = await isolatedShop.start();
  await isolatedShop.reconcile(restarted);
  await expectOneOrder(isolatedShop, { api: restarted, buyer, secret });
});

for (const [when, moment] of [
  ["before", "before the provider has created it"],
  ["after", "before the provider has answered"],
] as const) {
  test(`the shop is killed while it creates the payment intent, ${moment}`, async ({
    isolatedShop,
  }) => {
    const { database, cards } = isolatedShop;
    const first = await isolatedShop.start();
    const { buyer } = await createBuyerWithCart({ api: first, db: database });
    const call = "payment_intents.create";
    await cards.fault({ call, effect: "delay", when, milliseconds: 3_000 });
    const lost = requestPayment({ api: first, buyer }).catch((error: unknown) => error);
    // The delay is used up, so the call has arrived.
    await expect.poll(() => cards.faults(), { intervals: [20] }).toEqual([]);
    await isolatedShop.kill();
    expect(await lost).toBeInstanceOf(Error);
    const api = await isolatedShop.start();
    // The customer must wait while the provider still works on the dead shop's call.
    const isOpen = async () => (await requestPayment({ api, buyer })).status === 200;
    await expect.poll(isOpen, { timeout: 20_000 }).toBe(true);
    const secret = await openPayment({ api, buyer });
    const books = await cards.books();
    expect(books.payments).toHaveLength(1);
    await cards.pay(secret);
    await confirm({ api, buyer, secret });
    await expectOneOrder(isolatedShop, { api, buyer, secret });
  });
}

test("the shop is down during the payment: the provider retries its event", async ({
  isolatedShop,
}) => {
  const { database, cards } = isolatedShop;
  const api = await isolatedShop.start();
  const { buyer } = await createBuyerWithCart({ api, db: database });
  const secret = await openPayment({ api, buyer });
  await isolatedShop.kill();
  expect((await cards.pay(secret)).json.status).toBe("succeeded");
  const restarted = await isolatedShop.start();
  await expect.poll(async () => (await ordersOf(database, buyer.id)).length).toBe(1);
  await expectOneOrder(isolatedShop, { api: restarted, buyer, secret });
});

test("the shop is killed during a refund", async ({ isolatedShop }) => {
  const { database, cards } = isolatedShop;
  const api = await isolatedShop.start();
  const { buyer } = await createBuyerWithCart({ api, db: database });
  await cards.fault({ webhook: "*", effect: "never", times: 9 });
  await payCart({ api, buyer, cards });
  const call = "refunds.create";
  await cards.fault({ call, effect: "delay", when: "after", milliseconds: 5_000 });
  await api.delete("/api/account/delete/hard", { token: buyer.token });
  const lost = isolatedShop.reconcile(api).catch((error: unknown) => error);
  const refunds = async () => (await cards.books()).totals.refunds;
  await expect.poll(refunds, { intervals: [20] }).toBe(1);
  await isolatedShop.kill();
  expect(await lost).toBeInstanceOf(Error);
  const closures = await database.select().from(paymentClosures);
  expect(closures).toMatchObject([{ settledAt: null }]);
  await cards.clearFaults();
  const restarted = await isolatedShop.start();
  await isolatedShop.reconcile(restarted);
  const title = "killed while giving back";
  const balance = await expectBalance({ database, cards, title, orders: 0, isAlone: true });
  expect(balance).toMatchObject({ refundedPayments: 1, refundedCents: 4290 });
});

test("database connections are cut during purchases, again and again", async ({ isolatedShop }) => {
  const { database, cards } = isolatedShop;
  const api = await isolatedShop.start();
  const shoppers = await Promise.all(
    Array.from({ length: 8 }, () => createBuyerWithCart({ api, db: database })),
  );
  let isOver = false;
  const cutting = (async () => {
    let cuts = 0;
    while (!isOver) {
      cuts += await isolatedShop.cutConnections();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return cuts;
  })();
  const tried = await Promise.all(
    shoppers.map(async ({ buyer }) => {
      const opened = await requestPayment({ api, buyer });
      if (opened.status !== 200) return opened.status;
      await cards.pay(opened.json.clientSecret);
      return (await confirm({ api, buyer, secret: opened.json.clientSecret })).status;
    }),
  );
  isOver = true;
  expect(await cutting).toBeGreaterThan(0);
  for (const status of tried) expect([200, 201, 503]).toContain(status);
  // Refused customers retry.
  await expectDelivered(cards);
  for (const { buyer } of shoppers) {
    if ((await ordersOf(database, buyer.id)).length > 0) continue;
    // The shop may not have noticed the last cut yet.
    const isOpen = async () => (await requestPayment({ api, buyer })).status === 200;
    await expect.poll(isOpen).toBe(true);
    const secret = await payCart({ api, buyer, cards });
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
  }
  const title = "connections cut";
  await expectBalance({ database, cards, title, orders: shoppers.length, isAlone: true });
});

test("PostgreSQL is restarted during purchases", async ({ shopEnv }) => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-restart-"));
  chmodSync(folder, 0o711);
  const start = () => startPostgres({ dataDir: path.join(folder, "postgres") });
  let server = await start();
  const cards = await startCards(String(shopEnv.AUTH_SECRET));
  let isolatedShop: IsolatedShop | undefined;
  try {
    await migrateDatabase({ url: server.url });
    isolatedShop = new IsolatedShop(cards, {
      ...shopEnv,
      DATABASE_URL: server.url,
      STRIPE_API_BASE: cards.url,
    });
    const { database } = isolatedShop;
    await seedDemo({ db: database, hasShipping: false });
    const api = await isolatedShop.start();
    const shoppers = await Promise.all(
      Array.from({ length: 4 }, () => createBuyerWithCart({ api, db: database })),
    );
    const secrets = await Promise.all(
      shoppers.map(async ({ buyer }) => payCart({ api, buyer, cards })),
    );
    const confirmAll = () =>
      Promise.all(
        shoppers.map(({ buyer }, i) => confirm({ api, buyer, secret: secrets[i] ?? "" })),
      );
    const interrupted = confirmAll();
    await server.stop({ isForced: true });
    server = await start();
    for (const { status } of await interrupted) expect([200, 201, 503]).toContain(status);
    const answers = async () => {
      try {
        await database.select().from(carts).limit(1);
        return true;
      } catch (error) {
        if (isDatabaseUnavailable(error)) return false;
        throw error;
      }
    };
    await expect.poll(answers, { timeout: 30_000 }).toBe(true);
    const isThrough = async () =>
      (await confirmAll()).every(({ status }) => status === 200 || status === 201);
    await expect.poll(isThrough, { timeout: 30_000 }).toBe(true);
    await expectBalance({ database, cards, title: "database restarted", orders: 4, isAlone: true });
  } finally {
    await isolatedShop?.end();
    await cards.stop();
    await server.stop({ isForced: true });
    rmSync(folder, { recursive: true, force: true });
  }
});
