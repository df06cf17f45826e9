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

test("a payment has its buyer's e-mail address from the start, and its order's number once it exists", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const reconcile = () => api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  const { buyer } = await createBuyerWithCart({ api, db });
  const id = paymentIdOf(await openPayment({ api, buyer }));
  const opened = await paymentAt(cards, id);
  expect(opened.description).toBe(`Mini Ecommerce – ${buyer.email}`);
  expect(opened.metadata).toMatchObject({ email: buyer.email });
  // With an address for receipts, the provider would send a mail of its own.
  expect(opened).not.toHaveProperty("receipt_email");

  // An outage delays the number.
  await cards.fault({ call: "payment_intents.update", effect: "fail", when: "before", times: 50 });
  const secret = await payCart({ api, buyer, cards });
  const { orderId } = (await confirm({ api, buyer, secret })).json;
  await reconcile();
  expect(await isNumberWritten(db, orderId)).toBe(false);
  await cards.clearFaults();
  await reconcile();
  await expect.poll(() => isNumberWritten(db, orderId)).toBe(true);
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const paid = await paymentAt(cards, id);
  expect(paid.description).toBe(`Mini Ecommerce – commande ${order?.number} – ${buyer.email}`);
  expect(paid.metadata).toEqual({ ...opened.metadata, order: order?.number });
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
  const { orderId } = (await confirm({ api, buyer, secret })).json;
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  await expect.poll(() => isNumberWritten(db, orderId)).toBe(true);
  await cards.clearFaults();
});
