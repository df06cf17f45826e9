import { eq, sql } from "drizzle-orm";
import { closeDatabase, db } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { expect, test } from "@/e2e/database-fixtures";
import { getPurchasedFile } from "@/lib/orders/queries";
import { settleRefund } from "./settle";

test.afterAll(closeDatabase);

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
  await createWithdrawal({ db, order, lines });
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
    const ofOrder = eq(withdrawals.orderId, order.id);
    const [withdrawal] = await db.select().from(withdrawals).where(ofOrder);
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
    const failure = "Carte expirée";
    const outcome =
      end === "failed" ? { state: end, providerId, failure } : { state: end, providerId };
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
