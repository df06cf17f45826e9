import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { shipments } from "@/db/schema/shipments";
import { withdrawals } from "@/db/schema/withdrawals";
import { addDays } from "@/lib/dates";
import { contactMail } from "@/lib/env";
import type { RecordedWithdrawal, WithdrawalState } from "@/lib/withdrawals/schemas";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";
import { plainSpaces } from "../storefront";

const pathOf = (id: number) => `/api/orders/${id}/withdrawal`;

/** A buyer with an order of a lamp and a guide. */
async function createBuyerWithOrder(
  db: Database,
  { kinds = ["physical", "digital"], daysAgo = 3 }: { kinds?: string[]; daysAgo?: number } = {},
) {
  const user = await createUser({ db });
  const products = {
    physical: await createProduct({ db, name: "Lampe Aube" }),
    digital: await createProduct({ db, name: "Guide des thés", type: "digital" }),
  };
  const { order } = await createOrder({
    db,
    user,
    items: kinds.map((kind) => ({ product: products[kind as keyof typeof products], quantity: 2 })),
    orderedAt: addDays(new Date(), -daysAgo),
  });
  return { user, order, token: await tokenOf(user) };
}

test("a buyer withdraws once, with two mails", async ({ api, database: db, mailbox }) => {
  const { user, order, token } = await createBuyerWithOrder(db);
  const state = async () => (await api.get<WithdrawalState>(pathOf(order.id), { token })).json;
  for (const items of ["a".repeat(501), 7, ["x"]])
    expect((await api.post(pathOf(order.id), { token, json: { items } })).status).toBe(422);
  expect(await state()).toEqual({ isPossible: true, date: null, items: null });

  const begin = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      api.post<RecordedWithdrawal & Refusal>(pathOf(order.id), {
        token,
        json: { items: " Une lampe\nsur deux " },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  const done = answers.find(({ status }) => status === 201)?.json;
  expect(done?.message).toBe("Votre rétractation est enregistrée.");
  expect(Math.abs(Date.parse(done?.date ?? "") - begin)).toBeLessThan(60_000);
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
    "Vous vous êtes déjà rétracté de cette commande.",
  );
  expect(await state()).toEqual({
    isPossible: false,
    date: done?.date,
    items: "Une lampe sur deux",
  });

  const receipt = await mailbox.waitForMail({ to: user.email });
  expect(receipt.subject).toBe(`Accusé de réception de votre rétractation (${order.number})`);
  const text = plainSpaces(receipt.text).replace(/\s+/g, " ");
  for (const part of [
    "nous avons reçu votre rétractation le",
    `Commande : ${order.number} du`,
    "Objets de la commande : 2 × Lampe Aube",
    "Rétractation pour : Une lampe sur deux",
    "à cette adresse si nos conditions générales de vente n’en indiquent pas d’autre : Mini Ecommerce SAS,",
    "au plus tard le",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("Guide des thés");
  const notice = await mailbox.waitForMail({
    to: contactMail(),
    subject: `Rétractation de ${user.firstName} ${user.lastName} (${order.number})`,
  });
  expect(notice.replyTo).toBe(user.email);
});

test("only the buyer withdraws; an administrator may see it", async ({ api, database: db }) => {
  const { order } = await createBuyerWithOrder(db);
  const other = await tokenOf(await createUser({ db }));
  const admin = await tokenOf(await createAdmin({ db }));
  for (const token of [other, admin])
    expect((await api.post(pathOf(order.id), { token, json: {} })).status).toBe(404);
  expect((await api.get(pathOf(order.id), { token: other })).status).toBe(404);
  expect((await api.get(pathOf(order.id), { token: admin })).json).toMatchObject({ date: null });
  expect((await api.get(pathOf(2_000_000_000), { token: admin })).status).toBe(404);
  expect(await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id))).toEqual([]);
});

for (const { name, kinds, daysAgo, sentence } of [
  {
    name: "an order of files alone cannot be withdrawn from",
    kinds: ["digital"],
    daysAgo: 1,
    sentence:
      "Cette commande ne comporte que des fichiers, pour lesquels vous avez renoncé au droit de rétractation.",
  },
  {
    name: "an order cannot be withdrawn from after the period",
    kinds: ["physical"],
    daysAgo: 50,
    sentence: "Le délai de rétractation de cette commande est passé.",
  },
])
  test(name, async ({ api, database: db }) => {
    const { order, token } = await createBuyerWithOrder(db, { kinds, daysAgo });
    const { json } = await api.get<WithdrawalState>(pathOf(order.id), { token });
    expect(json.isPossible).toBe(false);
    const refused = await api.post<Refusal>(pathOf(order.id), { token, json: {} });
    expect([refused.status, refused.json.error]).toEqual([409, sentence]);
  });

test("an order that was delivered late can be withdrawn from", async ({ api, database: db }) => {
  const { order, token } = await createBuyerWithOrder(db, { daysAgo: 60 });
  const parcel = { orderId: order.id, carrier: "Colissimo" };
  const state = async () => (await api.get<WithdrawalState>(pathOf(order.id), { token })).json;
  const shippedAt = addDays(new Date(), -58);
  await db.insert(shipments).values({ ...parcel, shippedAt, deliveredAt: shippedAt });
  expect((await state()).isPossible).toBe(false);
  await db.insert(shipments).values({
    ...parcel,
    shippedAt: addDays(new Date(), -20),
    deliveredAt: addDays(new Date(), -14),
  });
  expect((await state()).isPossible).toBe(true);
  expect((await api.post(pathOf(order.id), { token, json: {} })).status).toBe(201);
});

test("the withdrawal outlives its order", async ({ api, database: db }) => {
  const admin = await tokenOf(await createAdmin({ db }));
  const { user, order, token } = await createBuyerWithOrder(db);
  await api.post(pathOf(order.id), { token, json: { items: "Une lampe" } });
  const record = async () => {
    const rows = await db.select().from(withdrawals).where(eq(withdrawals.userId, user.id));
    expect(rows).toHaveLength(1);
    return rows[0];
  };
  const written = await record();
  expect(written).toMatchObject({
    orderId: order.id,
    buyerEmail: user.email,
    buyerFirstName: user.firstName,
    buyerLastName: user.lastName,
    items: "Une lampe",
    orderNumber: order.number,
    orderedAt: order.orderedAt,
    totalCents: order.totalCents,
    objects: [{ name: "Lampe Aube", quantity: 2, unitPriceCents: expect.any(Number) }],
  });
  expect(written?.refundBy).toEqual(written && addDays(written.createdAt, 14));
  expect((await api.delete(`/api/admin_orders/${order.id}`, { token: admin })).status).toBe(204);
  expect(await record()).toEqual({ ...written, orderId: null });
  expect((await api.get(pathOf(order.id), { token })).status).toBe(404);
});

test("a closed account's withdrawal is told", async ({ api, database: db, mailbox, shopEnv }) => {
  const { user, order, token } = await createBuyerWithOrder(db);
  const isNotice = and(
    eq(mailOutbox.template, "withdrawal-notice"),
    sql`${mailOutbox.data} ->> 'orderNumber' = ${order.number}`,
  );
  // The mail provider is away: the notice was tried, and waits.
  await db.insert(mailOutbox).values({
    template: "withdrawal-notice",
    data: {
      orderNumber: order.number,
      orderedAt: order.orderedAt.toISOString(),
      date: new Date().toISOString(),
      refundBy: addDays(new Date(), 14).toISOString(),
      buyer: { email: user.email, firstName: user.firstName, lastName: user.lastName },
      objects: [{ name: "Lampe Aube", quantity: 2 }],
      items: `Signé ${user.lastName}`,
    },
    recipient: contactMail(),
    replyTo: user.email,
    userId: user.id,
    attempts: 3,
    nextAttemptAt: addDays(new Date(), 1),
    lastError: `Adresse refusée : ${user.email}`,
  });
  await db.insert(withdrawals).values({
    orderId: order.id,
    userId: user.id,
    buyerEmail: user.email,
    buyerFirstName: user.firstName,
    buyerLastName: user.lastName,
    items: `Signé ${user.lastName}`,
    orderNumber: order.number,
    orderedAt: order.orderedAt,
    totalCents: order.totalCents,
    objects: [],
    refundBy: addDays(new Date(), 14),
  });
  expect((await api.delete("/api/account/delete/hard", { token })).status).toBe(200);

  const [record] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  expect(record).toMatchObject({
    orderNumber: order.number,
    totalCents: order.totalCents,
    userId: null,
    buyerEmail: null,
    buyerFirstName: null,
    buyerLastName: null,
    items: null,
  });
  const [waiting] = await db.select().from(mailOutbox).where(isNotice);
  expect(waiting).toMatchObject({ userId: null, replyTo: null, lastError: null });
  expect(JSON.stringify(waiting)).not.toContain(user.lastName);
  expect(JSON.stringify(waiting)).not.toContain(user.email);

  await db.update(mailOutbox).set({ nextAttemptAt: new Date() }).where(isNotice);
  await api.post("/api/cron/outbox", { token: shopEnv.CRON_SECRET });
  const notice = await mailbox.waitForMail({
    to: contactMail(),
    subject: `Rétractation (${order.number})`,
  });
  expect(notice.replyTo ?? null).toBeNull();
  const text = plainSpaces(notice.text).replace(/\s+/g, " ");
  expect(text).toContain(`Commande : ${order.number} du`);
  expect(text).toContain("Objets de la commande : 2 × Lampe Aube");
  expect(text).toContain("Le client a supprimé son compte depuis");
  expect(text).not.toContain(user.lastName);
});

test("no withdrawal is half written while its order goes", async ({ api, database: db }) => {
  const admin = await tokenOf(await createAdmin({ db }));
  for (let i = 0; i < 10; i++) {
    const { user, order, token } = await createBuyerWithOrder(db);
    const [withdrawn, deleted] = await Promise.all([
      api.post(pathOf(order.id), { token, json: {} }),
      api.delete(`/api/admin_orders/${order.id}`, { token: admin }),
    ]);
    expect([201, 404]).toContain(withdrawn.status);
    expect(deleted.status).toBe(204);
    expect(await db.select().from(orders).where(eq(orders.userId, user.id))).toEqual([]);
    const records = await db.select().from(withdrawals).where(eq(withdrawals.userId, user.id));
    expect(records.map(({ orderId, orderNumber }) => ({ orderId, orderNumber }))).toEqual(
      withdrawn.status === 201 ? [{ orderId: null, orderNumber: order.number }] : [],
    );
  }
});
