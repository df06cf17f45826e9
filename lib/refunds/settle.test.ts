import { eq, sql } from "drizzle-orm";
import { closeDatabase, db } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { expect, test } from "@/e2e/database-fixtures";
import { getPurchasedFile } from "@/lib/orders/queries";
import { settleStatus } from "@/lib/orders/status-changes";
import { settleRefund } from "./settle";

test.afterAll(closeDatabase);

/**
 * An order of three lamps and a file: `sent` lamps have been sent, `refunded` lamps are in a pending refund.
 */
async function arrange({
  sent,
  refunded,
  hasFile = true,
}: {
  sent: number;
  refunded: number;
  hasFile?: boolean;
}) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, priceCents: 1000 });
  const file = await createProduct({ db, type: "digital", priceCents: 500 });
  const { order, lines } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 3 }, ...(hasFile ? [{ product: file }] : [])],
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
    orderId: order.id,
    status: async () =>
      (await db.select({ status: orders.status }).from(orders).where(eq(orders.id, order.id)))[0]
        ?.status,
  };
}

for (const { name, sent, refunded, after } of [
  {
    name: "an order whose unsent pieces are refunded becomes shipped",
    sent: 2,
    refunded: 1,
    after: "shipped",
  },
  {
    name: "an order with pieces left to send stays in preparation",
    sent: 1,
    refunded: 1,
    after: "preparing",
  },
  {
    name: "an order of which only files are kept becomes delivered",
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

/** An order of a lamp and a file with a withdrawal by its buyer and pending refunds. */
async function arrangeRefunds(amounts: readonly number[]) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, priceCents: 1000 });
  const file = await createProduct({
    db,
    type: "digital",
    priceCents: 500,
    downloadLink: "/downloads/guide-the.pdf",
  });
  const items = [{ product: lamp }, { product: file }];
  const { order, lines } = await createOrder({ db, user, items });
  const { id: withdrawalId } = await createWithdrawal({ db, order, lines });
  const rows = await db
    .insert(refunds)
    .values(
      amounts.map((amountCents) => ({
        orderId: order.id,
        paymentIntentId: String(order.paymentIntentId),
        origin: "staff" as const,
        amountCents,
        reason: "Retard",
        nextAttemptAt: sql`now() + interval '1 day'`,
      })),
    )
    .returning({ id: refunds.id });
  const state = async () => {
    const [row] = await db.select().from(orders).where(eq(orders.id, order.id));
    const [withdrawal] = await db
      .select()
      .from(withdrawals)
      .where(eq(withdrawals.id, withdrawalId));
    const boughtFile = await getPurchasedFile({ lineId: Number(lines[1]?.id), userId: user.id });
    return {
      status: row?.status,
      refundedCents: row?.refundedCents,
      withdrawal: withdrawal?.state,
      hasFile: boughtFile !== null,
    };
  };
  const settle = (index: number, end: "succeeded" | "failed") => {
    const id = rows[index]?.id ?? 0;
    const providerId = `re_${id}`;
    const outcome =
      end === "failed"
        ? { state: end, providerId, failure: "Déjà remboursé" }
        : { state: end, providerId };
    return settleRefund({ id, outcome });
  };
  return { orderId: order.id, settle, state };
}

const ALL_BACK = {
  status: "cancelled",
  refundedCents: 1500,
  withdrawal: "refunded",
  hasFile: false,
};
const OPEN = { status: "paid", withdrawal: "received", hasFile: true };

test("an order is cancelled once all money is refunded, whatever other refunds wait or fail", async ({
  shopEnv: _,
}) => {
  // The whole payment is refunded at the provider while a goodwill refund is pending.
  const waiting = await arrangeRefunds([100, 1500]);
  await waiting.settle(1, "succeeded");
  expect(await waiting.state()).toEqual(ALL_BACK);
  await waiting.settle(0, "failed");
  expect(await waiting.state()).toEqual(ALL_BACK);

  const failedFirst = await arrangeRefunds([1500, 1500, 100]);
  await failedFirst.settle(0, "failed");
  await failedFirst.settle(2, "failed");
  expect(await failedFirst.state()).toEqual({ ...OPEN, refundedCents: 0 });
  await failedFirst.settle(1, "succeeded");
  expect(await failedFirst.state()).toEqual(ALL_BACK);

  const inParts = await arrangeRefunds([700, 100, 800]);
  await inParts.settle(2, "succeeded");
  expect(await inParts.state()).toEqual({ ...OPEN, refundedCents: 800 });
  await inParts.settle(0, "succeeded");
  expect(await inParts.state()).toEqual(ALL_BACK);
  await inParts.settle(1, "failed");
  expect(await inParts.state()).toEqual(ALL_BACK);
});

test("the paid amount counts, not a total that staff have typed since", async ({ shopEnv: _ }) => {
  const lower = await arrangeRefunds([500, 1000]);
  await db.update(orders).set({ totalCents: 500 }).where(eq(orders.id, lower.orderId));
  await lower.settle(0, "succeeded");
  expect(await lower.state()).toEqual({ ...OPEN, refundedCents: 500 });
  await lower.settle(1, "succeeded");
  expect(await lower.state()).toEqual(ALL_BACK);

  const higher = await arrangeRefunds([1500]);
  await db.update(orders).set({ totalCents: 9900 }).where(eq(orders.id, higher.orderId));
  await higher.settle(0, "succeeded");
  expect(await higher.state()).toEqual(ALL_BACK);
});

test("a partly shipped order becomes shipped once all money is refunded", async ({
  shopEnv: _,
}) => {
  const { id, status } = await arrange({ sent: 1, refunded: 1 });
  await db.update(refunds).set({ amountCents: 3500 }).where(eq(refunds.id, id));
  await settleRefund({ id, outcome: { state: "succeeded", providerId: `re_${id}_all` } });
  expect(await status()).toBe("shipped");
});

test("saving an order while the refund of all its pieces is pending does not cancel it", async ({
  shopEnv: _,
}) => {
  const { id, orderId, status } = await arrange({ sent: 0, refunded: 3, hasFile: false });
  await db.transaction((tx) => settleStatus(tx, { orderId }));
  expect(await status()).toBe("paid");
  const outcome = { state: "failed", providerId: `re_${id}_late`, failure: "Refusé" } as const;
  await settleRefund({ id, outcome });
  expect(await status()).toBe("paid");
});

test("a piece whose refund the bank refuses afterwards has to be sent again", async ({
  shopEnv: _,
}) => {
  const { id, status } = await arrange({ sent: 2, refunded: 1 });
  const providerId = `re_${id}`;
  await settleRefund({ id, outcome: { state: "succeeded", providerId } });
  expect(await status()).toBe("shipped");
  await settleRefund({ id, outcome: { state: "failed", providerId, failure: "Carte expirée" } });
  expect(await status()).toBe("preparing");
});
