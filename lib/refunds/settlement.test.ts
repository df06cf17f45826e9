import { eq, sql } from "drizzle-orm";
import { closeDatabase, db } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import { expect, test } from "@/e2e/database-fixtures";
import { settleRefund } from "./settlement";

test.afterAll(closeDatabase);

/** An order of three lamps and a file, of which some lamps have left, with a refund of some that waits. */
async function arrange({ sent, refunded }: { sent: number; refunded: number }) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, priceCents: 1000 });
  const file = await createProduct({ db, type: "digital", priceCents: 500 });
  const { order, lines } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 3 }, { product: file }],
    status: sent > 0 ? "preparing" : "paid",
  });
  const orderLineId = Number(lines[0]?.id);
  await db.update(orderLines).set({ shippedQuantity: sent }).where(eq(orderLines.id, orderLineId));
  const amountCents = refunded * 1000;
  const [refund] = await db
    .insert(refunds)
    .values({
      orderId: order.id,
      paymentIntentId: String(order.paymentIntentId),
      origin: "staff",
      amountCents,
      reason: "Rupture de stock",
      nextAttemptAt: sql`now() + interval '1 day'`,
    })
    .returning({ id: refunds.id });
  const id = Number(refund?.id);
  await db
    .insert(refundLines)
    .values({ refundId: id, orderLineId, quantity: refunded, amountCents });
  return {
    id,
    status: async () =>
      (await db.select({ status: orders.status }).from(orders).where(eq(orders.id, order.id)))[0]
        ?.status,
  };
}

for (const { name, sent, refunded, after } of [
  {
    name: "where the rest is refunded, the order is shipped",
    sent: 2,
    refunded: 1,
    after: "shipped",
  },
  { name: "where something is left, it stays", sent: 1, refunded: 1, after: "preparing" },
  {
    name: "where only its files are kept, it is complete",
    sent: 0,
    refunded: 3,
    after: "delivered",
  },
])
  test(name, async ({ shopEnv: _ }) => {
    const { id, status } = await arrange({ sent, refunded });
    await settleRefund({ id, outcome: { state: "succeeded", providerId: `re_${id}_${sent}` } });
    expect(await status()).toBe(after);
  });

test("where the bank refuses it after all, the piece is to be sent again", async ({
  shopEnv: _,
}) => {
  const { id, status } = await arrange({ sent: 2, refunded: 1 });
  const providerId = `re_${id}`;
  await settleRefund({ id, outcome: { state: "succeeded", providerId } });
  expect(await status()).toBe("shipped");
  await settleRefund({ id, outcome: { state: "failed", providerId, failure: "Carte expirée" } });
  expect(await status()).toBe("preparing");
});
