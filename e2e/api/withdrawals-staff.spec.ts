import { and, eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
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
interface Collection {
  "hydra:member": WithdrawalJson[];
}

const LD_JSON = "application/ld+json";

async function createReceived(
  db: Database,
  values: { daysAgo?: number; lastName?: string; items?: string } = {},
) {
  const { daysAgo = 2, lastName = "Œuvrard", items = "" } = values;
  const user = await createUser({ db, lastName });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290 });
  const guide = await createProduct({ db, name: "Guide des thés", type: "digital" });
  const bought = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }],
    orderedAt: addDays(new Date(), -10),
  });
  const createdAt = addDays(new Date(), -daysAgo);
  const withdrawal = await createWithdrawal({
    db,
    order: bought.order,
    lines: bought.lines,
    items,
    createdAt,
  });
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

test("staff list, search, filter, export and read withdrawals", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const lastName = `Zylbersztajn${process.pid}`;
  const late = await createReceived(db, { lastName, daysAgo: 16 });
  const fresh = await createReceived(db, { lastName, items: "Une lampe" });
  const ids = async (query: string) => {
    const { status, text, json } = await api.get<Collection>(`/api/withdrawals?${query}`, {
      token,
      accept: LD_JSON,
    });
    expect(status, text).toBe(200);
    return json["hydra:member"].map(({ id }) => id);
  };
  expect(await ids(`search=${lastName}&order[refundBy]=asc`)).toEqual([
    late.withdrawal.id,
    fresh.withdrawal.id,
  ]);
  expect(await ids(`search=${late.order.number}`)).toEqual([late.withdrawal.id]);
  expect(await ids(`user=${late.user.id}`)).toEqual([late.withdrawal.id]);
  await api.put(`/api/withdrawals/${late.withdrawal.id}`, { token, json: { state: "refunded" } });
  expect(await ids(`search=${lastName}&state=refunded`)).toEqual([late.withdrawal.id]);

  const { json } = await api.get<WithdrawalJson>(`/api/withdrawals/${fresh.withdrawal.id}`, {
    token,
  });
  const { user, order, lines, withdrawal } = fresh;
  expect(json).toMatchObject({
    id: withdrawal.id,
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
  const [heads = [], cells = [], lateCells = []] = linesOfCsv(csv);
  const cell = (head: string, row = cells) => row[heads.indexOf(head)];
  expect(cell("Commande")).toBe(order.number);
  expect(cell("Objets")).toBe("2 × Lampe Aube");
  expect(cell("Reçue le")).toBe(formatMoment(withdrawal.createdAt));
  expect(cell("À rembourser avant le")).toBe(formatDate(json.refundBy ?? ""));
  expect(cell("Réglée le")).toBe("");
  expect(cell("État", lateCells)).toBe("Remboursée");
  expect(cell("Réglée le", lateCells)).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
  expect((await api.get("/api/withdrawals/2000000000", { token })).status).toBe(404);
});

test("a refusal is stored once, and mailed", async ({ api, database: db, mailbox }) => {
  const admin = await newAdmin(db);
  const { token } = admin;
  const { withdrawal, user, order } = await createReceived(db);
  const path = `/api/withdrawals/${withdrawal.id}`;
  for (const [json, sentence] of [
    [{ state: "refused" }, "Veuillez indiquer le motif du refus."],
    [{ state: "refused", reason: " \u200b\n " }, "Veuillez indiquer le motif du refus."],
    [{ state: "refused", reason: "x".repeat(1_001) }, /1.?000/],
  ] as const) {
    const refused = await api.put<Refusal>(path, { token, json });
    expect(refused.status).toBe(422);
    expect(plainSpaces(refused.json.error)).toMatch(sentence);
  }
  expect((await api.put(path, { token, json: { state: "received" } })).status).toBe(422);
  expect((await stateOf(db, withdrawal.id))?.state).toBe("received");

  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      api.put<Answer>(path, { token, json: { state: "refused", reason: "Objet\nabîmé <b>" } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const done = answers.find(({ status }) => status === 200)?.json;
  expect(done).toMatchObject({ state: "refused", refusalReason: "Objet abîmé <b>" });
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
    "Cette rétractation est déjà réglée.",
  );
  expect(await refusalsOf(db, withdrawal.id)).toHaveLength(1);
  const mail = await mailbox.waitForMail({ to: user.email });
  expect(mail.subject).toBe(`Votre rétractation est refusée (${order.number})`);
  expect(plainSpaces(mail.text)).toContain("Objet abîmé <b>");
  expect(mail.html).toContain("Objet abîmé &lt;b&gt;");

  const history = await db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.entity, "Withdrawal"), eq(auditEntries.entityId, withdrawal.id)));
  expect(history).toHaveLength(1);
  expect(history[0]).toMatchObject({
    actorId: admin.id,
    action: "update",
    before: { state: "received" },
    after: { state: "refused", refusalReason: "Objet abîmé <b>" },
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
  const history = await db
    .select()
    .from(auditEntries)
    .where(
      and(eq(auditEntries.entity, "Withdrawal"), eq(auditEntries.entityId, other.withdrawal.id)),
    );
  expect(history).toMatchObject([{ before: null, after: null }]);
  // The reason was deleted with the account, because it was written to a person.
  expect(await stateOf(db, other.withdrawal.id)).toMatchObject({
    state: "refused",
    refusalReason: null,
  });
  await db.delete(orders).where(eq(orders.id, order.id));

  const path = `/api/withdrawals/${withdrawal.id}`;
  const { json } = await api.get<WithdrawalJson>(path, { token });
  expect(json).toMatchObject({
    state: "received",
    order: { id: null, number: order.number, hasFiles: false },
    buyer: null,
    objects: [{ name: "Lampe Aube", quantity: 2 }],
    orderItems: [],
    items: null,
  });
  const settled = await api.put<WithdrawalJson>(path, {
    token,
    json: { state: "refused", reason: "Objets jamais reçus." },
  });
  expect([settled.status, settled.json.state]).toEqual([200, "refused"]);
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
  const received = await api.post(`/api/orders/${order.id}/withdrawal`, {
    token: order.buyer.token,
    json: { items: "" },
  });
  expect(received.status, received.text).toBe(201);
  const [withdrawal] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  if (!withdrawal) throw new Error("There is no withdrawal.");
  const items = order.lines.map(({ id, quantity }) => ({ item: id, quantity }));
  const [refused, refunded] = await Promise.all([
    api.put<Answer>(`/api/withdrawals/${withdrawal.id}`, {
      token: order.token,
      json: { state: "refused", reason: "Objet abîmé." },
    }),
    requestRefund({ api, order, items }),
  ]);
  expect(refunded.status, refunded.text).toBe(201);
  const after = await stateOf(db, withdrawal.id);
  expect([200, 409]).toContain(refused.status);
  expect(after?.state).toBe(refused.status === 200 ? "refused" : "refunded");
  expect(after?.settledAt).not.toBeNull();
  expect(await refusalsOf(db, withdrawal.id)).toHaveLength(refused.status === 200 ? 1 : 0);
  expect((await rowsOf(db, order.id)).refunds).toHaveLength(1);
});
