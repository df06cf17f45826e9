import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
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

/** A buyer with an order of two lamps and two guides. */
async function createBuyerWithOrder(
  db: Database,
  { kinds = ["physical", "digital"], daysAgo = 3 }: { kinds?: string[]; daysAgo?: number } = {},
) {
  const user = await createUser({ db });
  const products = {
    physical: await createProduct({ db, name: "Lampe Aube" }),
    digital: await createProduct({ db, name: "Guide des thés", type: "digital" }),
  };
  const { order, lines } = await createOrder({
    db,
    user,
    items: kinds.map((kind) => ({ product: products[kind as keyof typeof products], quantity: 2 })),
    orderedAt: addDays(new Date(), -daysAgo),
  });
  return { user, order, lines, token: await tokenOf(user) };
}

test("a buyer withdraws once, with two mails", async ({ api, database: db, mailbox }) => {
  const { user, order, token } = await createBuyerWithOrder(db);
  const post = (items: unknown) =>
    api.post<RecordedWithdrawal & Refusal>(pathOf(order.id), { token, json: { items } });
  const state = async () => (await api.get<WithdrawalState>(pathOf(order.id), { token })).json;
  for (const items of ["a".repeat(501), 7, ["x"]]) expect((await post(items)).status).toBe(422);
  expect(await state()).toEqual({ isPossible: true, date: null, items: null });

  const begin = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(" Une lampe\nsur deux ")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  const done = answers.find(({ status }) => status === 201)?.json;
  expect(done?.message).toBe("Votre rétractation est enregistrée.");
  expect(Math.abs(Date.parse(done?.date ?? "") - begin)).toBeLessThan(60_000);
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
    "Vous vous êtes déjà rétracté de cette commande.",
  );
  const items = "Une lampe sur deux";
  expect(await state()).toEqual({ isPossible: false, date: done?.date, items });

  const records = await db.select().from(withdrawals).where(eq(withdrawals.userId, user.id));
  expect(records).toMatchObject([
    {
      orderId: order.id,
      buyerEmail: user.email,
      buyerFirstName: user.firstName,
      buyerLastName: user.lastName,
      items,
      orderNumber: order.number,
      orderedAt: order.orderedAt,
      totalCents: order.totalCents,
      objects: [{ name: "Lampe Aube", quantity: 2, unitPriceCents: expect.any(Number) }],
      refundBy: addDays(records[0]?.createdAt ?? new Date(), 14),
    },
  ]);

  const receipt = await mailbox.waitForMail({ to: user.email });
  expect(receipt.subject).toBe(`Accusé de réception de votre rétractation (${order.number})`);
  const text = plainSpaces(receipt.text).replace(/\s+/g, " ");
  for (const part of [
    "Objets de la commande : 2 × Lampe Aube",
    `Rétractation pour : ${items}`,
    "à cette adresse si nos conditions générales de vente n’en indiquent pas d’autre : Mini Ecommerce SAS,",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("Guide des thés");
  const subject = `Rétractation de ${user.firstName} ${user.lastName} (${order.number})`;
  const notice = await mailbox.waitForMail({ to: contactMail(), subject });
  expect(notice.replyTo).toBe(user.email);
});

test("files and old orders cannot be withdrawn from", async ({ api, database: db }) => {
  for (const { sentence, ...options } of [
    {
      kinds: ["digital"],
      sentence:
        "Cette commande ne comporte que des fichiers, pour lesquels vous avez renoncé au droit de rétractation.",
    },
    { daysAgo: 50, sentence: "Le délai de rétractation de cette commande est passé." },
  ]) {
    const { order, token } = await createBuyerWithOrder(db, options);
    const { json } = await api.get<WithdrawalState>(pathOf(order.id), { token });
    expect(json.isPossible).toBe(false);
    const refused = await api.post<Refusal>(pathOf(order.id), { token, json: {} });
    expect([refused.status, refused.json.error]).toEqual([409, sentence]);
  }
});

test("an order that was delivered late can be withdrawn from", async ({ api, database: db }) => {
  const { order, token } = await createBuyerWithOrder(db, { daysAgo: 60 });
  const deliver = async (daysAgo: number) => {
    const deliveredAt = addDays(new Date(), -daysAgo);
    const parcel = { orderId: order.id, carrier: "Colissimo", shippedAt: deliveredAt, deliveredAt };
    await db.insert(shipments).values(parcel);
    return (await api.get<WithdrawalState>(pathOf(order.id), { token })).json.isPossible;
  };
  expect(await deliver(58)).toBe(false);
  expect(await deliver(14)).toBe(true);
  expect((await api.post(pathOf(order.id), { token, json: {} })).status).toBe(201);
});

test("a closed account's withdrawal is told", async ({ api, database: db, mailbox, shopEnv }) => {
  const { user, order, lines, token } = await createBuyerWithOrder(db);
  const items = `Signé ${user.lastName}`;
  const { id } = await createWithdrawal({ db, order, lines, items });
  // The mail provider is away: the notice was tried, and waits.
  const [mail] = await db
    .insert(mailOutbox)
    .values({
      template: "withdrawal-notice",
      data: {
        orderNumber: order.number,
        orderedAt: order.orderedAt.toISOString(),
        date: new Date().toISOString(),
        refundBy: addDays(new Date(), 14).toISOString(),
        buyer: { email: user.email, firstName: user.firstName, lastName: user.lastName },
        objects: [{ name: "Lampe Aube", quantity: 2 }],
        items,
      },
      recipient: contactMail(),
      replyTo: user.email,
      userId: user.id,
      attempts: 3,
      nextAttemptAt: addDays(new Date(), 1),
      lastError: `Adresse refusée : ${user.email}`,
    })
    .returning();
  expect((await api.delete("/api/account/delete/hard", { token })).status).toBe(200);

  const [record] = await db.select().from(withdrawals).where(eq(withdrawals.id, id));
  const noBuyer = { userId: null, buyerEmail: null, buyerFirstName: null, buyerLastName: null };
  expect(record).toMatchObject({ ...noBuyer, items: null, orderNumber: order.number });
  const isNotice = eq(mailOutbox.id, mail?.id ?? 0);
  const [waiting] = await db.select().from(mailOutbox).where(isNotice);
  expect(waiting).toMatchObject({ userId: null, replyTo: null, lastError: null });
  for (const personal of [user.lastName, user.email])
    expect(JSON.stringify(waiting)).not.toContain(personal);

  await db.update(mailOutbox).set({ nextAttemptAt: new Date() }).where(isNotice);
  await api.post("/api/cron/outbox", { token: shopEnv.CRON_SECRET });
  const subject = `Rétractation (${order.number})`;
  const notice = await mailbox.waitForMail({ to: contactMail(), subject });
  expect(notice.replyTo ?? null).toBeNull();
  const text = plainSpaces(notice.text).replace(/\s+/g, " ");
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
