import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import { newAdmin } from "../admin";
import { expect } from "../fixtures";
import { queuedMails } from "../mailbox";
import { test, type World } from "../world";

// The shop is killed at each step of sending a parcel, and staff send it again: there is one parcel, one mail.
// To hold the shop at a step, a test locks what the step needs.

test.describe.configure({ timeout: 120_000 });

async function arrange({ database: db }: World) {
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
  { database: db }: World,
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
  test(`the shop is killed ${step}`, async ({ world }) => {
    const api = await world.start();
    const arranged = await arrange(world);
    const { order, path, request } = arranged;
    await world.withLock(lock, async () => {
      const lost = api.post(path, request).catch((error: unknown) => error);
      await world.waitForBlockedQuery();
      await world.kill();
      expect(await lost).toBeInstanceOf(Error);
    });
    const restarted = await world.start();
    const before = await world.database
      .select()
      .from(shipments)
      .where(eq(shipments.orderId, order.id));
    expect(before.length).toBeLessThanOrEqual(1);
    const again = await restarted.post(path, request);
    expect(again.status, again.text).toBe(before.length === 1 ? 409 : 201);
    await expectOneParcel(world, arranged);
  });

test("the shop is killed after the commit, before its response", async ({ world }) => {
  const api = await world.start();
  const arranged = await arrange(world);
  const { order, path, request } = arranged;
  const answering = api.post(path, request).catch((error: unknown) => error);
  const written = () =>
    world.database.select().from(shipments).where(eq(shipments.orderId, order.id));
  await expect.poll(async () => (await written()).length, { intervals: [1] }).toBe(1);
  await world.kill();
  await answering;
  const restarted = await world.start();
  expect((await restarted.post(path, request)).status).toBe(409);
  await expectOneParcel(world, arranged);
});
