import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { mailOutbox } from "@/db/schema/mail";
import { stockAlerts } from "@/db/schema/stock-alerts";
import { newEmail } from "../accounts";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { type Mailbox, queuedMails } from "../mailbox";
import { createCounted } from "../stock";

const MESSAGE = "Vérifiez votre boîte mail pour confirmer votre demande.";
const SUBJECT = "Confirmez votre demande";

const ask = (api: Api, json: unknown) =>
  api.post<{ errors?: Record<string, string> }>("/api/stock_alerts", { json });

const confirm = async (api: Api, token: string) =>
  (await api.post<{ valid: boolean }>("/api/stock_alerts/confirm", { json: { token } })).json;

const alertsOf = (db: Database, email: string) =>
  db
    .select()
    .from(stockAlerts)
    .where(eq(sql`lower(${stockAlerts.email})`, email.toLowerCase()));

const soldOut = (db: Database) => createCounted({ db, stock: 0, name: "Cruche attendue" });

async function tokenFor({ mailbox, email }: { mailbox: Mailbox; email: string }): Promise<string> {
  const { html } = await mailbox.waitForMail({ to: email, subject: SUBJECT });
  const token = /\/stock-alert#([\w-]+)"/.exec(html)?.[1];
  if (!token) throw new Error("The mail has no link.");
  return token;
}

test("an address gets one mail, and is gone", async ({ api, database: db, mailbox, shopEnv }) => {
  const product = await soldOut(db);
  const email = newEmail("attente");
  const answer = await ask(api, { productId: product.id, email });
  expect([answer.status, answer.json]).toEqual([202, { message: MESSAGE }]);
  const token = await tokenFor({ mailbox, email });
  const tokenHash = createHash("sha256").update(token).digest("hex");
  expect(await alertsOf(db, email)).toMatchObject([{ confirmedAt: null, tokenHash }]);
  // Mail scanners open links, too.
  for (let i = 0; i < 2; i++)
    expect(await confirm(api, token)).toEqual({
      valid: true,
      message: "C'est noté\u00a0: nous vous écrirons dès que ce produit sera disponible.",
      product: { id: product.id, name: "Cruche attendue" },
    });
  // A draft's name is not told.
  const setStatus = (status: "active" | "draft") =>
    db.update(products).set({ status }).where(eq(products.id, product.id));
  await setStatus("draft");
  expect(await confirm(api, token)).toMatchObject({ valid: true, product: null });
  await setStatus("active");
  const look = () => api.post("/api/cron/products", { token: shopEnv.CRON_SECRET });
  await look();
  expect(await alertsOf(db, email)).toHaveLength(1);

  await api.post(`/api/products/${product.id}/stock_movements`, {
    token: (await newAdmin(db)).token,
    json: { quantity: 3, reason: "Livraison" },
  });
  await Promise.all([look(), look(), look()]);
  const subject = "De retour : Cruche attendue";
  const { text } = await mailbox.waitForMail({ to: email, subject });
  expect(text).toContain(`/product/${product.id}`);
  await look();
  expect(await alertsOf(db, email)).toEqual([]);
  expect((await queuedMails(db, email)).filter(({ status }) => status === "pending")).toEqual([]);
  expect(mailbox.list({ to: email })).toHaveLength(2);
  expect(await confirm(api, token)).toMatchObject({ valid: false, product: null });
});

// Sent mails of these templates are deleted every hour: a test counts those that were delivered, and rows.

test("known and unknown addresses get one answer", async ({ api, database: db, mailbox }) => {
  const { id: productId } = await soldOut(db);
  const known = newEmail("connue");
  const addresses = [...Array(8).fill(known), known.toUpperCase(), newEmail("inconnue")];
  const answers = await Promise.all(addresses.map((email) => ask(api, { productId, email })));
  for (const { status, json } of answers)
    expect([status, json]).toEqual([202, { message: MESSAGE }]);
  await mailbox.waitForMail({ to: known, subject: SUBJECT });
  expect((await queuedMails(db, known)).length).toBeLessThanOrEqual(1);
  expect(await alertsOf(db, known)).toHaveLength(1);
});

test("an unconfirmed address gets a new link later", async ({ api, database: db, mailbox }) => {
  const { id: productId } = await soldOut(db);
  const email = newEmail("encore");
  const change = (values: object) =>
    db.update(stockAlerts).set(values).where(eq(stockAlerts.productId, productId));
  const anHourAgo = { mailedAt: sql`now() - interval '1 hour'` };
  await ask(api, { productId, email });
  const first = await tokenFor({ mailbox, email });
  await change(anHourAgo);
  await ask(api, { productId, email });
  await expect.poll(() => mailbox.list({ to: email, subject: SUBJECT }).length).toBe(2);
  expect((await confirm(api, first)).valid).toBe(false);

  await change({ ...anHourAgo, confirmedAt: new Date() });
  const before = await alertsOf(db, email);
  expect((await ask(api, { productId, email })).status).toBe(202);
  expect(await alertsOf(db, email)).toEqual(before);
});

test("invalid requests are refused in French, and write nothing", async ({ api, database: db }) => {
  const { id: productId } = await soldOut(db);
  const { id: draft } = await createProduct({ db, stock: 0, status: "draft" });
  const email = newEmail("refus");
  for (const [json, status, errors] of [
    [{ productId }, 422, { email: "Ce champ est obligatoire." }],
    [
      { productId, email: "pas une adresse" },
      422,
      { email: "Veuillez saisir une adresse e-mail valide." },
    ],
    [{ email }, 422, expect.anything()],
    [{ productId: draft, email }, 404, undefined],
    [{ productId: 999_999, email }, 404, undefined],
  ] as const) {
    const answer = await ask(api, json);
    expect([answer.status, answer.json.errors], JSON.stringify(json)).toEqual([status, errors]);
  }
  expect(await alertsOf(db, email)).toEqual([]);
});

test("nobody's mailbox is flooded, and nobody floods others'", async ({ limited }) => {
  const { api, database: db } = limited;
  const { id: productId } = await soldOut(db);
  const victim = newEmail("victime");
  const statuses = [];
  for (let i = 0; i < 7; i++)
    statuses.push((await ask(api, { productId: (await soldOut(db)).id, email: victim })).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
  expect(await alertsOf(db, victim)).toHaveLength(5);

  // Of the network's twenty requests an hour, seven are used.
  const more = [];
  for (let i = 0; i < 14; i++)
    more.push((await ask(api, { productId, email: newEmail("autre") })).status);
  expect(more).toEqual([...Array(13).fill(202), 429]);
});

test("an owner who confirms can ask again; guessed tokens are refused", async ({ limited }) => {
  const { api, database: db, mailbox } = limited;
  const email = newEmail("proprietaire");
  const askAgain = async () =>
    (await ask(api, { productId: (await soldOut(db)).id, email })).status;
  await askAgain();
  const token = await tokenFor({ mailbox, email });
  for (let i = 0; i < 4; i++) await askAgain();
  expect(await askAgain()).toBe(429);
  expect((await confirm(api, token)).valid).toBe(true);
  expect(await askAgain()).toBe(202);

  const guess = async () =>
    (await api.post("/api/stock_alerts/confirm", { json: { token: "deviné" } })).status;
  let last = await guess();
  for (let i = 0; i < 40 && last === 200; i++) last = await guess();
  expect(last).toBe(429);
});

test("a link cancels its alert, twice if need be", async ({ api, database: db, mailbox }) => {
  const { id: productId } = await soldOut(db);
  const email = newEmail("annule");
  await ask(api, { productId, email });
  const token = await tokenFor({ mailbox, email });
  await confirm(api, token);
  for (let i = 0; i < 2; i++) {
    const { json } = await api.post("/api/stock_alerts/cancel", { json: { token } });
    expect(json).toEqual({ message: "Votre demande est annulée et votre adresse effacée." });
    expect(await alertsOf(db, email)).toEqual([]);
  }
});

test("drafts wait, and old alerts are deleted", async ({ api, database: db, shopEnv }) => {
  const token = shopEnv.CRON_SECRET;
  const make = async (alert: Partial<typeof stockAlerts.$inferInsert>, stock = 0) => {
    const { id: productId } = await createProduct({ db, stock });
    const email = newEmail("age");
    await db.insert(stockAlerts).values({ productId, email, tokenHash: email, ...alert });
    return { productId, email };
  };
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const confirmed = (days: number) => ({
    confirmedAt: ago(days),
    createdAt: ago(days),
    mailedAt: ago(days),
  });
  const draft = await make(confirmed(1), 5);
  await db.update(products).set({ status: "draft" }).where(eq(products.id, draft.productId));
  const deleted = await make(confirmed(1));
  await db.delete(products).where(eq(products.id, deleted.productId));
  const unopened = await make({ mailedAt: ago(3) });
  const [fresh, waiting, old] = [
    await make({}),
    await make(confirmed(200)),
    await make(confirmed(366)),
  ];
  const sent = newEmail("envoye");
  await db
    .insert(mailOutbox)
    .values({ template: "stock-alert", data: {}, recipient: sent, status: "sent" });
  await api.post("/api/cron/products", { token });
  await api.post("/api/cron/checkouts?due=all", { token });
  const count = async ({ email }: { email: string }) => (await alertsOf(db, email)).length;
  expect(await Promise.all([draft, fresh, waiting].map(count))).toEqual([1, 1, 1]);
  expect(await Promise.all([deleted, unopened, old].map(count))).toEqual([0, 0, 0]);
  for (const email of [draft.email, sent]) expect(await queuedMails(db, email)).toEqual([]);
});
