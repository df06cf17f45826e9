import { and, eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { addDays, formatDate, formatMoment } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import type { withdrawalResource } from "@/lib/withdrawals/admin-resource";
import { type Refusal, tokenOf } from "../accounts";
import { linesOfCsv, newAdmin } from "../admin";
import { expect, test } from "../fixtures";
import { buy, requestRefund, rowsOf } from "../refunding";
import { plainSpaces } from "../storefront";

type WithdrawalJson = JsonOf<typeof withdrawalResource>;
type Answer = WithdrawalJson & Refusal;

async function createReceived(
  db: Database,
  values: { daysAgo?: number; lastName?: string; items?: string } = {},
) {
  const { daysAgo = 2, lastName = "Œuvrard", items = "" } = values;
  const user = await createUser({ db, lastName });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290 });
  const guide = await createProduct({ db, name: "Guide des thés", type: "digital" });
  const { invoice: _, ...bought } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }],
    orderedAt: addDays(new Date(), -10),
  });
  const createdAt = addDays(new Date(), -daysAgo);
  const withdrawal = await createWithdrawal({ db, ...bought, items, createdAt });
  return { user, withdrawal, ...bought };
}

const stateOf = async (db: Database, id: number) =>
  (await db.select().from(withdrawals).where(eq(withdrawals.id, id)))[0];

/** Finds a refusal's mail by its key: a sent mail keeps nothing else. */
const refusalsOf = (db: Database, id: number) =>
  db
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.dedupeKey, `withdrawal-refusal:${id}`));

const historyRowsOf = (db: Database, id: number) =>
  db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.entity, "Withdrawal"), eq(auditEntries.entityId, id)));

test("staff find, read, export and settle withdrawals", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const lastName = `Zylbersztajn${process.pid}`;
  const late = await createReceived(db, { lastName, daysAgo: 16 });
  const fresh = await createReceived(db, { lastName, items: "Une lampe" });
  const [lateId, freshId] = [late.withdrawal.id, fresh.withdrawal.id];
  await api.put(`/api/withdrawals/${lateId}`, { token, json: { state: "refunded" } });
  for (const [query, ids] of [
    [`search=${lastName}&order[refundBy]=asc`, [lateId, freshId]],
    [`search=${late.order.number}`, [lateId]],
    [`user=${late.user.id}&state=refunded`, [lateId]],
  ] as const) {
    const { json } = await api.get<{ id: number }[]>(`/api/withdrawals?${query}`, {
      token,
      accept: "application/json",
    });
    expect(
      json.map(({ id }) => id),
      query,
    ).toEqual(ids);
  }

  const { json } = await api.get<WithdrawalJson>(`/api/withdrawals/${freshId}`, { token });
  const { user, order, lines, withdrawal } = fresh;
  expect(json).toMatchObject({
    id: freshId,
    state: "received",
    order: { id: order.id, number: order.number, total: order.totalCents / 100, hasFiles: true },
    buyer: { name: lastName, lastname: user.firstName, email: user.email },
    objects: [{ name: "Lampe Aube", quantity: 2, price: 42.9 }],
    orderItems: [{ item: lines[0]?.id, name: "Lampe Aube", quantity: 2 }],
    items: "Une lampe",
    settledAt: null,
    refusalReason: null,
  });
  expect(new Date(json.refundBy ?? "")).toEqual(addDays(new Date(json.receivedAt), 14));
  const csv = await api.get(`/api/withdrawals?search=${lastName}`, { token, accept: "text/csv" });
  const [heads = [], ...rows] = linesOfCsv(csv);
  const [cells, lateCells] = rows.map((row) =>
    Object.fromEntries(row.map((cell, index) => [heads[index], cell])),
  );
  expect(cells).toMatchObject({
    Commande: order.number,
    Objets: "2 × Lampe Aube",
    "Reçue le": formatMoment(withdrawal.createdAt),
    "À rembourser avant le": formatDate(json.refundBy ?? ""),
    "Réglée le": "",
  });
  expect(lateCells).toMatchObject({
    État: "Remboursée",
    "Réglée le": expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/),
  });
  expect((await api.get("/api/withdrawals/2000000000", { token })).status).toBe(404);
});

test("a refusal is stored once, and mailed", async ({ api, database: db, mailbox }) => {
  const { id: actorId, token } = await newAdmin(db);
  const { withdrawal, user, order } = await createReceived(db);
  const put = (json: object) =>
    api.put<Answer>(`/api/withdrawals/${withdrawal.id}`, { token, json });
  for (const [json, sentence] of [
    [{ state: "refused" }, "Veuillez indiquer le motif du refus."],
    [{ state: "refused", reason: " \u200b\n " }, "Veuillez indiquer le motif du refus."],
    [{ state: "refused", reason: "x".repeat(1_001) }, /1.?000/],
    [{ state: "received" }, /./],
  ] as const) {
    const refused = await put(json);
    expect(refused.status).toBe(422);
    expect(plainSpaces(refused.json.error)).toMatch(sentence);
  }
  expect((await stateOf(db, withdrawal.id))?.state).toBe("received");

  const reason = "Objet abîmé <b>";
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => put({ state: "refused", reason: "Objet\nabîmé <b>" })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const after = { state: "refused", refusalReason: reason };
  expect(answers.find(({ status }) => status === 200)?.json).toMatchObject(after);
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
    "Cette rétractation est déjà réglée.",
  );
  expect(await refusalsOf(db, withdrawal.id)).toHaveLength(1);
  const mail = await mailbox.waitForMail({ to: user.email });
  expect(mail.subject).toBe(`Votre rétractation est refusée (${order.number})`);
  expect(plainSpaces(mail.text)).toContain(reason);
  const history = await historyRowsOf(db, withdrawal.id);
  expect(history).toHaveLength(1);
  expect(history[0]).toMatchObject({
    actorId,
    action: "update",
    before: { state: "received" },
    after,
  });
});

test("the withdrawal outlives its order and account", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { withdrawal, user, order } = await createReceived(db, { items: "Signé Œuvrard" });
  const other = await createReceived(db);
  // Creates a history entry that names the person.
  const refused = { state: "refused", reason: "Trop tard, Madame Œuvrard" };
  await api.put(`/api/withdrawals/${other.withdrawal.id}`, { token, json: refused });
  for (const person of [user, other.user]) {
    const gone = await api.delete("/api/account/delete/hard", { token: await tokenOf(person) });
    expect(gone.status, gone.text).toBe(200);
  }
  expect(await historyRowsOf(db, other.withdrawal.id)).toMatchObject([
    { before: null, after: null },
  ]);
  // The reason was deleted with the account, because it was written to a person.
  expect(await stateOf(db, other.withdrawal.id)).toMatchObject({
    state: "refused",
    refusalReason: null,
  });
  expect((await api.delete(`/api/admin_orders/${order.id}`, { token })).status).toBe(204);

  const path = `/api/withdrawals/${withdrawal.id}`;
  expect((await api.get(path, { token })).json).toMatchObject({
    state: "received",
    order: { id: null, number: order.number, hasFiles: false },
    buyer: null,
    objects: [{ name: "Lampe Aube", quantity: 2 }],
    orderItems: [],
    items: null,
  });
  const json = { state: "refused", reason: "Objets jamais reçus." };
  expect((await api.put(path, { token, json })).json).toMatchObject({ state: "refused" });
  // No mail is sent: the account is gone.
  expect(await refusalsOf(db, withdrawal.id)).toEqual([]);
});

test("a refusal and an erasure at once are both completed", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  for (let round = 0; round < 5; round += 1) {
    const { withdrawal, user, order } = await createReceived(db);
    // Without the order, whose lock would serialize the two requests.
    if (round % 2 === 1) await db.delete(orders).where(eq(orders.id, order.id));
    const own = await tokenOf(user);
    const [put, gone] = await Promise.all([
      api.put(`/api/withdrawals/${withdrawal.id}`, {
        token,
        json: { state: "refused", reason: "Objet abîmé." },
      }),
      api.delete("/api/account/delete/hard", { token: own }),
    ]);
    expect([put.status, gone.status]).toEqual([200, 200]);
    expect(await stateOf(db, withdrawal.id)).toMatchObject({ state: "refused", buyerEmail: null });
    expect(await refusalsOf(db, withdrawal.id)).toEqual([]);
  }
});

test("only one of refusal and refund settles it", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  await api.post(`/api/orders/${order.id}/withdrawal`, {
    token: order.buyer.token,
    json: { items: "" },
  });
  const [withdrawal] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  if (!withdrawal) throw new Error("There is no withdrawal.");
  const items = order.lines.map(({ id, quantity }) => ({ item: id, quantity }));
  const [refused, refunded] = await Promise.all([
    api.put(`/api/withdrawals/${withdrawal.id}`, {
      token: order.token,
      json: { state: "refused", reason: "Objet abîmé." },
    }),
    requestRefund({ api, order, items }),
  ]);
  expect(refunded.status, refunded.text).toBe(201);
  expect([200, 409]).toContain(refused.status);
  const isRefused = refused.status === 200;
  expect(await stateOf(db, withdrawal.id)).toMatchObject({
    state: isRefused ? "refused" : "refunded",
    settledAt: expect.any(Date),
  });
  expect(await refusalsOf(db, withdrawal.id)).toHaveLength(isRefused ? 1 : 0);
  expect((await rowsOf(db, order.id)).refunds).toHaveLength(1);
});

test("the dashboard counts the work that waits", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const read = async () =>
    (await api.get<{ waiting: Record<string, number> }>("/api/admin/dashboard", { token })).json
      .waiting;
  const before = await read();
  await createReceived(db);
  const user = await createUser({ db });
  const product = await createProduct({ db, stock: 5, lowStockThreshold: 7 });
  await createProduct({ db, stock: 0, lowStockThreshold: 3 });
  const file = await createProduct({ db, type: "digital" });
  await createOrder({ db, user, items: [{ product: file }] });
  const items = [{ product }];
  await createOrder({ db, user, items, status: "preparing" });
  const [failed, disputed] = [
    await createOrder({ db, user, items }),
    await createOrder({ db, user, items }),
  ];
  const begun = { paymentIntentId: "pi_a", amountCents: 100, reason: "Essai" };
  await db.insert(refunds).values([
    { ...begun, orderId: failed.order.id, origin: "staff", status: "failed" },
    { ...begun, orderId: disputed.order.id, origin: "dispute", status: "pending" },
  ]);
  const after = await read();
  for (const [name, added] of Object.entries({
    toPrepare: 3,
    toShip: 1,
    withdrawals: 1,
    failedRefunds: 1,
    disputes: 1,
    lowStock: 1,
    soldOut: 1,
  }))
    expect(after[name], name).toBe((before[name] ?? 0) + added);
  for (const [todo, { order }] of [
    ["refund", failed],
    ["dispute", disputed],
  ] as const) {
    const path = `/api/admin_orders?todo=${todo}&search=${user.email}`;
    const { json } = await api.get(path, { token, accept: "application/json" });
    expect(json, todo).toMatchObject([{ id: order.id }]);
  }
});
