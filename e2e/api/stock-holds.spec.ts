import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { stockHolds } from "@/db/schema/stock";
import { deleteEndedHolds } from "@/lib/stock/holds";
import { balanceOf, expectBalance } from "../balance";
import { addToCart, confirm, createBuyer, openPayment, requestPayment } from "../buying";
import { expect, test } from "../fixtures";
import { createCounted, expectStockAddsUp, stockOf } from "../stock";

// A customer who does not pay cannot hold pieces for ever: docs/decisions/081. STOCK_HOLD_MINUTES is 15
// here, so one customer can hold a product for 45 minutes, and then none of it for 45 minutes.

const HELD = "Il ne reste que 0 exemplaire(s) de ce produit.";

/** Lets time pass for the holds of a product. */
const wait = (db: Database, productId: number, minutes: number) =>
  db.execute(sql`
    update stock_holds set held_since = held_since - make_interval(mins => ${minutes}),
      expires_at = expires_at - make_interval(mins => ${minutes})
    where product_id = ${productId}`);

/** How many minutes the buyer's pieces are still held. */
async function minutesHeld(db: Database, productId: number): Promise<number> {
  const rows = await db.select().from(stockHolds).where(eq(stockHolds.productId, productId));
  const ends = rows.map(({ expiresAt }) => expiresAt.getTime());
  return Math.max(0, Math.round((Math.max(0, ...ends) - Date.now()) / 60_000));
}

test("reopening the payment extends the hold, to three times", async ({ api, database: db }) => {
  const [keeper, other] = [await createBuyer(db), await createBuyer(db)];
  const { id } = await createCounted({ db, stock: 2 });
  for (const buyer of [keeper, other]) await addToCart({ api, buyer, productId: id, quantity: 2 });
  const secret = await openPayment({ api, buyer: keeper });
  for (const [minutes, held] of [
    [10, 15],
    [10, 15],
    [10, 15],
    [10, 5],
  ] as const) {
    await wait(db, id, minutes);
    expect(await openPayment({ api, buyer: keeper })).toBe(secret);
    expect(await minutesHeld(db, id)).toBe(held);
    expect((await requestPayment({ api, buyer: other })).json.error).toBe(HELD);
  }
  await wait(db, id, 5);
  // The payment stays open but holds nothing: the other buyer may have the pieces.
  expect(await openPayment({ api, buyer: keeper })).toBe(secret);
  expect(await minutesHeld(db, id)).toBe(0);
  await openPayment({ api, buyer: other });
  expect(await minutesHeld(db, id)).toBe(15);
  expect((await requestPayment({ api, buyer: keeper })).json.error).toBe(HELD);
});

test("no other checkout, cart or tab restarts the hold", async ({ api, database: db }) => {
  const buyer = await createBuyer(db);
  const { id } = await createCounted({ db, stock: 9 });
  const { id: bowl } = await createCounted({ db, stock: 9 });
  /** Lets time pass, and pays a cart of these products in several tabs at once. */
  const heldAfter = async (cart: Record<number, number>, minutes: number) => {
    await wait(db, id, minutes);
    await api.delete("/api/cart", { token: buyer.token });
    for (const [productId, quantity] of Object.entries(cart))
      await addToCart({ api, buyer, productId: Number(productId), quantity });
    await Promise.all(Array.from({ length: 4 }, () => openPayment({ api, buyer })));
    return minutesHeld(db, id);
  };
  expect(await heldAfter({ [id]: 1 }, 0)).toBe(15);
  expect(await heldAfter({ [id]: 2, [bowl]: 1 }, 14)).toBe(15);
  expect(await heldAfter({ [bowl]: 1 }, 14)).toBe(1);
  expect(await heldAfter({ [id]: 1 }, 10)).toBe(7);
  // The time counts for each product.
  expect(await heldAfter({ [id]: 9, [bowl]: 1 }, 7)).toBe(0);
  expect(await minutesHeld(db, bowl)).toBe(15);
  // The pause does not end a minute too early.
  expect(await heldAfter({ [id]: 2 }, 44)).toBe(0);
  expect(await heldAfter({ [id]: 2 }, 2)).toBe(15);
});

test("after the hold only free pieces are sold", async ({ api, database: db, cards }) => {
  const since = await balanceOf({ database: db, cards });
  const [late, unlucky, other] = [
    await createBuyer(db),
    await createBuyer(db),
    await createBuyer(db),
  ];
  const { id } = await createCounted({ db, stock: 2 });
  for (const buyer of [late, unlucky, other]) await addToCart({ api, buyer, productId: id });
  for (const buyer of [late, unlucky]) await openPayment({ api, buyer });
  await wait(db, id, 46);
  const [first, second] = [
    await openPayment({ api, buyer: late }),
    await openPayment({ api, buyer: unlucky }),
  ];
  expect(await minutesHeld(db, id)).toBe(0);
  await cards.pay(first);
  expect([200, 201]).toContain((await confirm({ api, buyer: late, secret: first })).status);
  // The last piece is held by another buyer.
  const third = await openPayment({ api, buyer: other });
  await cards.pay(second);
  expect((await confirm({ api, buyer: unlucky, secret: second })).status).toBe(409);
  await cards.pay(third);
  expect([200, 201]).toContain((await confirm({ api, buyer: other, secret: third })).status);
  const isSettled = async () => (await balanceOf({ database: db, cards })).unsettled;
  await expect.poll(isSettled).toBe(since.unsettled);
  expect(await stockOf(db, id)).toBe(0);
  await expectStockAddsUp(db);
  await expectBalance({ database: db, cards, title: "payments without a hold", since, orders: 2 });
});

test("ended holds are kept as long as their time counts", async ({ api, database: db }) => {
  const buyer = await createBuyer(db);
  const { id } = await createCounted({ db, stock: 9 });
  await addToCart({ api, buyer, productId: id });
  await openPayment({ api, buyer });
  const kept = () => db.$count(stockHolds, eq(stockHolds.productId, id));
  await wait(db, id, 15 + 44);
  await deleteEndedHolds(db);
  expect(await kept()).toBe(1);
  await wait(db, id, 2);
  await deleteEndedHolds(db);
  expect(await kept()).toBe(0);
});
