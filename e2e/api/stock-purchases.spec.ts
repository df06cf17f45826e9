import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Database, Transaction } from "@/db";
import { withConnection } from "@/db/connection";
import { countSales } from "@/db/count-sales";
import { createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { checkouts } from "@/db/schema/checkout";
import { stockHolds, stockMovements } from "@/db/schema/stock";
import { lockCounted } from "@/lib/stock/mutations";
import { sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { balanceOf, expectBalance } from "../balance";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { createCounted, expectStockAddsUp, expireHolds, movementsOf, stockOf } from "../stock";
import { countLockWaits } from "../table-lock";

// The last piece is sold once: docs/decisions/081.

const soldOut =
  "Un produit de votre commande a été vendu entre-temps\u00a0: votre paiement vous est remboursé.";

const onlyLeft = (pieces: number) => `Il ne reste que ${pieces} exemplaire(s) de ce produit.`;

/** Two buyers who want the same pieces. */
async function twoBuyers({
  api,
  db,
  productId,
  quantity = 1,
}: {
  api: Api;
  db: Database;
  productId: number;
  quantity?: number;
}): Promise<[Buyer, Buyer]> {
  const buyers: [Buyer, Buyer] = [await createBuyer(db), await createBuyer(db)];
  for (const buyer of buyers) await addToCart({ api, buyer, productId, quantity });
  return buyers;
}

/** What the provider has taken and given back for a payment. */
async function moneyOf(cards: Cards, secret: string) {
  const { payments } = await cards.books();
  const payment = payments.find(({ id }) => id === paymentIdOf(secret));
  return [payment?.taken, payment?.refunded];
}

test("a cart accepts at most the available pieces", async ({ api, database: db }) => {
  const buyer = await createBuyer(db);
  const { token } = buyer;
  const { id: productId } = await createCounted({ db, stock: 3 });
  const add = (quantity: number) =>
    api.post<{ id: number }>("/api/cart/add", { token, json: { productId, quantity } });
  const tooMany = { quantity: onlyLeft(3) };
  expect(sentencesOf(await add(4))).toEqual(tooMany);
  const { json } = await add(2);
  expect(sentencesOf(await add(2))).toEqual(tooMany);
  const set = (quantity: number) =>
    api.put(`/api/cart/item/${json.id}`, { token, json: { quantity } });
  expect(sentencesOf(await set(4))).toEqual(tooMany);
  expect((await set(3)).status).toBe(200);
  // Pieces were sold elsewhere meanwhile: the quantity may be lowered but not raised, and the cart says
  // what is left.
  await db.update(products).set({ stock: 1 }).where(eq(products.id, productId));
  expect((await set(2)).status).toBe(200);
  const cart = await api.get<{ items: unknown[] }>("/api/cart", { token });
  expect(cart.json.items).toMatchObject([{ quantity: 2, left: 1, available: true }]);
  const opened = await requestPayment({ api, buyer });
  expect([opened.status, opened.json.error]).toEqual([422, onlyLeft(1)]);
  await db.update(products).set({ stock: 0 }).where(eq(products.id, productId));
  expect(sentencesOf(await add(1))).toEqual({ quantity: onlyLeft(0) });
  await db.delete(products).where(eq(products.id, productId));
});

test("opening the payment holds the pieces", async ({ api, database: db, shopEnv }) => {
  const { id } = await createCounted({ db, stock: 2 });
  const other = await createCounted({ db, stock: 5 });
  const [first, second] = await twoBuyers({ api, db, productId: id, quantity: 2 });
  const expectRefused = async (buyer: Buyer) => {
    const { status, json } = await requestPayment({ api, buyer });
    expect([status, json.error]).toEqual([422, onlyLeft(0)]);
  };
  const secret = await openPayment({ api, buyer: first });
  const [hold] = await db.select().from(stockHolds).where(eq(stockHolds.productId, id));
  const minutes = ((hold?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(14);
  expect(minutes).toBeLessThan(15.1);
  await expectRefused(second);
  // The buyer's own hold is no obstacle.
  expect(await openPayment({ api, buyer: first })).toBe(secret);
  // An expired hold does not count: the second buyer gets the pieces.
  await expireHolds(db, id);
  await openPayment({ api, buyer: second });
  await expectRefused(first);
  // Abandoning a checkout frees the pieces.
  await db
    .update(checkouts)
    .set({ updatedAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(eq(checkouts.userId, second.id));
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  await openPayment({ api, buyer: first });
  // A changed cart frees what the former one held.
  const { json } = await api.get<{ items: { id: number }[] }>("/api/cart", { token: first.token });
  await addToCart({ api, buyer: first, productId: other.id });
  await api.delete(`/api/cart/item/${json.items[0]?.id}`, { token: first.token });
  for (const buyer of [first, second]) await openPayment({ api, buyer });
  expect(await stockOf(db, id)).toBe(2);
  await expectStockAddsUp(db);
});

test("a paid checkout takes its pieces, once", async ({ api, database: db, cards }) => {
  const since = await balanceOf({ database: db, cards });
  const { buyer, product } = await createBuyerWithCart({ api, db, stock: 3, quantity: 2 });
  const secret = await payCart({ api, buyer, cards });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => confirm({ api, buyer, secret })),
  );
  for (const { status, text } of answers) expect([200, 201], text).toContain(status);
  const [order] = await ordersOf(db, buyer.id);
  const moved = await db
    .select()
    .from(stockMovements)
    .where(eq(stockMovements.productId, product.id))
    .orderBy(stockMovements.id);
  expect(moved).toMatchObject([
    { kind: "correction", quantity: 3 },
    { kind: "sale", quantity: -2, orderId: order?.id },
  ]);
  expect(await stockOf(db, product.id)).toBe(1);
  expect(await db.$count(stockHolds, eq(stockHolds.productId, product.id))).toBe(0);
  expect(order?.totalCents).toBe(8580);
  expect(await moneyOf(cards, secret)).toEqual([8580, 0]);
  await expectBalance({ database: db, cards, title: "a counted product", since, orders: 1 });
});

test("a late payment takes free pieces, if any", async ({ api, database: db, cards, mailbox }) => {
  const since = await balanceOf({ database: db, cards });
  const { id } = await createCounted({ db, stock: 1 });
  const [early, late] = await twoBuyers({ api, db, productId: id });
  const first = await openPayment({ api, buyer: early });
  await expireHolds(db, id);
  const second = await openPayment({ api, buyer: late });
  await expireHolds(db, id);
  await cards.fault({ webhook: "*", effect: "never", times: 9 });
  await cards.pay(first);
  expect((await confirm({ api, buyer: early, secret: first })).status).toBe(201);
  await cards.pay(second);
  // A repeated request gets the same answer.
  for (let i = 0; i < 2; i++) {
    const refused = await confirm({ api, buyer: late, secret: second });
    expect([refused.status, refused.json.error]).toEqual([409, soldOut]);
  }
  await cards.clearFaults();
  const mail = await mailbox.waitForMail({ to: late.email });
  expect(mail.subject).toMatch(/^Votre paiement de 42,90\s€ est remboursé$/);
  const reason =
    "un autre client avait entre-temps acheté le dernier exemplaire d’un de vos articles";
  for (const text of [mail.text, mail.html]) expect(text.replace(/\s+/g, " ")).toContain(reason);
  expect(await ordersOf(db, late.id)).toEqual([]);
  expect(await moneyOf(cards, second)).toEqual([4290, 4290]);
  expect(await movementsOf(db, id)).toEqual(["correction 1", "sale -1"]);
  await expectBalance({ database: db, cards, title: "a payment that came too late", since });
});

test("a refused payment takes no freed piece", async ({ api, database: db, cards }) => {
  const { buyer, product } = await createBuyerWithCart({ api, db, stock: 1 });
  const { id } = product;
  await cards.fault({ webhook: "*", effect: "never", times: 9 });
  const secret = await payCart({ api, buyer, cards });
  const correct = async (tx: Pick<typeof db, "execute">, quantity: number) => {
    await tx.execute(sql`update products set stock = stock + ${quantity} where id = ${id}`);
    await tx.execute(sql`insert into stock_movements (product_id, kind, quantity, reason)
      values (${id}, 'correction', ${quantity}, 'Inventaire')`);
  };
  const { refused, freed } = await db.transaction(async (tx) => {
    await tx.execute(sql`select from products where id = ${id} for update`);
    const refused = confirm({ api, buyer, secret });
    await expect.poll(() => countLockWaits(db)).toBe(1);
    // Gets the cart's lock after the order is rolled back, before the refusal gets it.
    const freed = db.transaction(async (next) => {
      await next.execute(sql`select from carts where user_id = ${buyer.id} for update`);
      await expireHolds(next, id);
      await correct(next, 1);
    });
    await expect.poll(() => countLockWaits(db)).toBe(2);
    await correct(tx, -1);
    return { refused, freed };
  });
  await freed;
  expect((await refused).json.error).toBe(soldOut);
  await cards.clearFaults();
  expect(await stockOf(db, id)).toBe(1);
  await expectStockAddsUp(db);
});

test("a stock that is set later is not oversold", async ({ api, database: db, cards }) => {
  const { id: productId } = await createProduct({ db, stock: null });
  const opened: { buyer: Buyer; secret: string }[] = [];
  for (const buyer of await twoBuyers({ api, db, productId }))
    opened.push({ buyer, secret: await openPayment({ api, buyer }) });
  await db.update(products).set({ stock: 1 }).where(eq(products.id, productId));
  await db
    .insert(stockMovements)
    .values({ productId, kind: "correction", quantity: 1, reason: "Inventaire" });
  const answers = await Promise.all(
    opened.map(async ({ buyer, secret }) => {
      await cards.pay(secret);
      return confirm({ api, buyer, secret });
    }),
  );
  const statuses = answers.map(({ status }) => (status === 200 ? 201 : status)).sort();
  expect(statuses).toEqual([201, 409]);
  expect(await movementsOf(db, productId)).toEqual(["correction 1", "sale -1"]);
});

test("of 200 concurrent buyers of 3 pieces on two instances 3 get an order, all others a refund", async ({
  api,
  database: db,
  cards,
  shop,
  shopEnv,
  shopWith,
}) => {
  test.setTimeout(360_000);
  const second = await shopWith({ database: "shared", env: { SITE_URL: shop.baseURL } });
  const before = await balanceOf({ database: db, cards });
  const product = await createCounted({ db, stock: 3 });
  const apiOf = (index: number) => (index % 2 ? second.api : api);
  const buyers: { buyer: Buyer; secret: string }[] = [];
  for (let index = 0; index < 200; index++) {
    const buyer = await createBuyer(db);
    await addToCart({ api: apiOf(index), buyer, productId: product.id });
    buyers.push({ buyer, secret: "" });
  }
  // When all open a payment at once, three may pay, and no other card is charged.
  const opened = await Promise.all(
    buyers.map(({ buyer }, index) => requestPayment({ api: apiOf(index), buyer })),
  );
  const refusals = opened.filter(({ status }) => status !== 200);
  expect(refusals.map(({ status, json }) => [status, json.error])).toEqual(
    Array(197).fill([422, onlyLeft(0)]),
  );
  // With expired holds everybody may pay.
  for (const [index, entry] of buyers.entries()) {
    await expireHolds(db, product.id);
    entry.secret = await openPayment({ api: apiOf(index), buyer: entry.buyer });
  }
  await expireHolds(db, product.id);
  const paid = await Promise.all(
    buyers.map(async ({ buyer, secret }, index) => {
      await cards.pay(secret);
      return confirm({ api: apiOf(index), buyer, secret });
    }),
  );
  const answers = new Set(paid.map(({ status, json }) => (status < 300 ? "bought" : json.error)));
  // On a busy machine some buyers are asked to try again: the provider's event completes or refuses their
  // purchases.
  answers.delete("Le service est momentanément indisponible. Réessayez dans un instant.");
  expect([...answers].sort()).toEqual([soldOut, "bought"]);
  await expectDelivered(cards, { timeout: 120_000 });
  const refunded = async () => {
    await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
    return (await balanceOf({ database: db, cards })).refundedPayments - before.refundedPayments;
  };
  await expect.poll(refunded, { timeout: 60_000 }).toBe(197);
  expect(await stockOf(db, product.id)).toBe(0);
  expect(await movementsOf(db, product.id)).toEqual(["correction 3", ...Array(3).fill("sale -1")]);
  await expectStockAddsUp(db);
  const balance = await expectBalance({
    database: db,
    cards,
    title: "200 buyers of 3 pieces",
    orders: 3,
    since: before,
  });
  expect(balance.refundMails).toBe(197);
});

test("a locked product delays no other purchase", async ({ api, database: db, cards }) => {
  const locked = await createCounted({ db, stock: 3 });
  const { buyer, product } = await createBuyerWithCart({ api, db, stock: 3 });
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from products where id = ${locked.id} for no key update`);
    const secret = await payCart({ api, buyer, cards });
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
  });
  expect(await stockOf(db, product.id)).toBe(2);
});

type Act = (tx: Transaction) => Promise<unknown>;

test("selling and correcting at once never deadlocks", async ({ database: db, shopEnv }) => {
  const { id } = await createCounted({ db, stock: 100_000 });
  const lines = [{ productId: id, quantity: 1 }];
  const sell = (tx: Transaction) => countSales(tx, { lines });
  const correct = async (tx: Transaction) => {
    await lockCounted(tx, lines);
    await tx.execute(sql`update products set stock = stock + 1 where id = ${id}`);
  };
  const putIntoCart = (tx: Transaction) =>
    tx.execute(sql`select from products where id = ${id} for key share`);
  const lanes: Act[] = [sell, sell, sell, correct, correct, putIntoCart, putIntoCart];
  let left = 12_000;
  await withConnection({ url: String(shopEnv.DATABASE_URL), max: lanes.length }, (client) =>
    Promise.all(
      lanes.map(async (run) => {
        while (left-- > 0)
          await drizzle({ client }).transaction(async (tx) => void (await run(tx)));
      }),
    ),
  );
  // The product has no stock movements, and other tests of this worker add up the movements of all
  // products.
  await db.delete(products).where(eq(products.id, id));
});
