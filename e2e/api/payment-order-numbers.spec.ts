import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { orders } from "@/db/schema/orders";
import { confirm, createBuyerWithCart, openPayment, payCart } from "../buying";
import { type Cards, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";

/** A payment, as staff see it at the provider. */
async function paymentAt(cards: Cards, id: string) {
  const response = await fetch(`${cards.url}/v1/payment_intents/${id}`, {
    headers: { Authorization: "Bearer sk_test_sandbox" },
  });
  return (await response.json()) as { description: string; metadata: Record<string, string> };
}

const isNumberWritten = async (db: Database, orderId: number) =>
  (await db.select().from(checkouts).where(eq(checkouts.orderId, orderId)))[0]
    ?.isOrderNumberWritten;

const numberOf = async (db: Database, orderId: number) =>
  (await db.select().from(orders).where(eq(orders.id, orderId)))[0]?.number;

test("a payment has its buyer's e-mail address from the start, and its order's number once it exists", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const id = paymentIdOf(await openPayment({ api, buyer }));
  const opened = await paymentAt(cards, id);
  expect(opened.description).toBe(`Mini Ecommerce – ${buyer.email}`);
  expect(opened.metadata).toMatchObject({ email: buyer.email });
  // With an address for receipts, the provider would send a mail of its own.
  expect(opened).not.toHaveProperty("receipt_email");

  const secret = await payCart({ api, buyer, cards });
  const { json } = await confirm({ api, buyer, secret });
  await api.post("/api/cron/checkouts", { token: shopEnv.CRON_SECRET });
  await expect.poll(() => isNumberWritten(db, json.orderId)).toBe(true);
  const number = await numberOf(db, json.orderId);
  const paid = await paymentAt(cards, id);
  expect(paid.description).toBe(`Mini Ecommerce – commande ${number} – ${buyer.email}`);
  expect(paid.metadata).toEqual({ ...opened.metadata, order: number });
});

test("after an outage of the provider the payment gets its order's number", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  await cards.fault({ call: "payment_intents.update", effect: "fail", when: "before", times: 50 });
  const secret = await payCart({ api, buyer, cards });
  const { status, json } = await confirm({ api, buyer, secret });
  expect([200, 201]).toContain(status);
  const look = () => api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  await look();
  expect(await isNumberWritten(db, json.orderId)).toBe(false);
  await cards.clearFaults();
  await look();
  await expect.poll(() => isNumberWritten(db, json.orderId)).toBe(true);
  const { metadata } = await paymentAt(cards, paymentIdOf(secret));
  expect(metadata.order).toBe(await numberOf(db, json.orderId));
  expect(await db.$count(orders, eq(orders.paymentIntentId, paymentIdOf(secret)))).toBe(1);
});

test("the number of an unknown payment is tried once", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  await cards.fault({ call: "payment_intents.update", effect: "deny", times: 50 });
  const secret = await payCart({ api, buyer, cards });
  const { json } = await confirm({ api, buyer, secret });
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  await expect.poll(() => isNumberWritten(db, json.orderId)).toBe(true);
  await cards.clearFaults();
});
