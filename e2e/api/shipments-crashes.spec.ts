import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import { newAdmin } from "../admin";
import { expect } from "../fixtures";
import { type IsolatedShop, test } from "../isolated-shop";
import { queuedMails } from "../mailbox";

// The shop is killed at each step of sending a parcel, and staff send it again: there is one parcel, one mail.
// To hold the shop at a step, a test locks what the step needs.

test.describe.configure({ timeout: 120_000 });

/** An order of three pieces, two of which staff send. */
async function arrange({ database: db }: IsolatedShop) {
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const { order, lines } = await createOrder({ db, user, items: [{ product, quantity: 3 }] });
  const { token } = await newAdmin(db);
  const items = [{ item: Number(lines[0]?.id), quantity: 2 }];
  const parcels = () => db.select().from(shipments).where(eq(shipments.orderId, order.id));
  return {
    path: `/api/admin_orders/${order.id}/shipments`,
    request: { token, json: { carrier: "Colissimo", trackingNumber: "6A1", items } },
    parcels,
    expectOneParcel: async () => {
      const [parcel, ...others] = await parcels();
      expect(others).toEqual([]);
      const shipmentId = Number(parcel?.id);
      expect(
        await db.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, shipmentId)),
      ).toMatchObject([{ quantity: 2 }]);
      expect(
        await db.select().from(orderLines).where(eq(orderLines.orderId, order.id)),
      ).toMatchObject([{ shippedQuantity: 2 }]);
      expect(await db.select().from(orders).where(eq(orders.id, order.id))).toMatchObject([
        { status: "preparing" },
      ]);
      expect(await queuedMails(db, user.email)).toMatchObject([
        { dedupeKey: `shipment:${shipmentId}` },
      ]);
    },
  };
}

for (const [step, lock] of Object.entries({
  "before it has locked the order": "select from orders for update",
  "when it writes the parcel": "lock table shipments in exclusive mode",
  "when it counts what has left": "lock table order_lines in exclusive mode",
  "when it writes the contents": "lock table shipment_lines in exclusive mode",
  "when it writes the mail": "lock table mail_outbox in exclusive mode",
  "when it records the change": "lock table audit_entries in exclusive mode",
}))
  test(`the shop is killed ${step}`, async ({ isolatedShop }) => {
    const api = await isolatedShop.start();
    const { path, request, parcels, expectOneParcel } = await arrange(isolatedShop);
    await isolatedShop.withLock(lock, async () => {
      const lost = api.post(path, request).catch((error: unknown) => error);
      await isolatedShop.waitForBlockedQuery();
      await isolatedShop.kill();
      expect(await lost).toBeInstanceOf(Error);
    });
    const restarted = await isolatedShop.start();
    const before = (await parcels()).length;
    expect(before).toBeLessThanOrEqual(1);
    const again = await restarted.post(path, request);
    expect(again.status, again.text).toBe(before === 1 ? 409 : 201);
    await expectOneParcel();
  });

test("the shop is killed after the commit, before its response", async ({ isolatedShop }) => {
  const api = await isolatedShop.start();
  const { path, request, parcels, expectOneParcel } = await arrange(isolatedShop);
  const answering = api.post(path, request).catch((error: unknown) => error);
  await expect.poll(async () => (await parcels()).length, { intervals: [1] }).toBe(1);
  await isolatedShop.kill();
  await answering;
  const restarted = await isolatedShop.start();
  expect((await restarted.post(path, request)).status).toBe(409);
  await expectOneParcel();
});
