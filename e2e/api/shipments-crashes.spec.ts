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

async function arrange({ database: db }: IsolatedShop) {
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const { order, lines } = await createOrder({ db, user, items: [{ product, quantity: 3 }] });
  const { token } = await newAdmin(db);
  return {
    user,
    order,
    path: `/api/admin_orders/${order.id}/shipments`,
    request: {
      token,
      json: {
        carrier: "Colissimo",
        trackingNumber: "6A1",
        items: [{ item: Number(lines[0]?.id), quantity: 2 }],
      },
    },
  };
}

async function expectOneParcel(
  { database: db }: IsolatedShop,
  { user, order }: Awaited<ReturnType<typeof arrange>>,
): Promise<void> {
  const parcels = await db.select().from(shipments).where(eq(shipments.orderId, order.id));
  expect(parcels).toHaveLength(1);
  const contents = await db
    .select()
    .from(shipmentLines)
    .where(eq(shipmentLines.shipmentId, parcels[0]?.id ?? 0));
  expect(contents).toMatchObject([{ shipmentId: parcels[0]?.id, quantity: 2 }]);
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, order.id));
  expect(line?.shippedQuantity).toBe(2);
  const [row] = await db.select().from(orders).where(eq(orders.id, order.id));
  expect(row?.status).toBe("preparing");
  const mails = await queuedMails(db, user.email);
  expect(mails.map(({ dedupeKey }) => dedupeKey)).toEqual([`shipment:${parcels[0]?.id}`]);
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
    const arranged = await arrange(isolatedShop);
    const { order, path, request } = arranged;
    await isolatedShop.withLock(lock, async () => {
      const lost = api.post(path, request).catch((error: unknown) => error);
      await isolatedShop.waitForBlockedQuery();
      await isolatedShop.kill();
      expect(await lost).toBeInstanceOf(Error);
    });
    const restarted = await isolatedShop.start();
    const before = await isolatedShop.database
      .select()
      .from(shipments)
      .where(eq(shipments.orderId, order.id));
    expect(before.length).toBeLessThanOrEqual(1);
    const again = await restarted.post(path, request);
    expect(again.status, again.text).toBe(before.length === 1 ? 409 : 201);
    await expectOneParcel(isolatedShop, arranged);
  });

test("the shop is killed after the commit, before its response", async ({ isolatedShop }) => {
  const api = await isolatedShop.start();
  const arranged = await arrange(isolatedShop);
  const { order, path, request } = arranged;
  const answering = api.post(path, request).catch((error: unknown) => error);
  const written = () =>
    isolatedShop.database.select().from(shipments).where(eq(shipments.orderId, order.id));
  await expect.poll(async () => (await written()).length, { intervals: [1] }).toBe(1);
  await isolatedShop.kill();
  await answering;
  const restarted = await isolatedShop.start();
  expect((await restarted.post(path, request)).status).toBe(409);
  await expectOneParcel(isolatedShop, arranged);
});
