import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createCart, createCheckout, createOrder } from "@/db/factories/orders";
import { createAddress, createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { codeTries, users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { contactMessages } from "@/db/schema/contact";
import { invoices, invoiceVersions } from "@/db/schema/invoices";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { reviews } from "@/db/schema/reviews";
import { stockAlerts } from "@/db/schema/stock-alerts";
import { withdrawals } from "@/db/schema/withdrawals";
import { createRandom, type Random } from "@/db/seed/random";
import { eraseUser } from "@/lib/account/erasure";
import { isOpen, newEmail, type Refusal, tokenInMail, tokenOf, turnTwoFactorOn } from "../accounts";
import type { Api } from "../api-client";
import { confirm, createBuyerWithCart, openPayment } from "../buying";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import { countLockWaits } from "../table-lock";

/** The documents that must be kept for ten years, with the buyer's snapshot. */
const ARCHIVED_TABLES = ["credit_notes", "invoice_versions", "invoices", "orders"];

const requestDeletion = (api: Api, mode: string, token: string) =>
  api.delete<Refusal & { message: string }>(`/api/account/delete/${mode}`, { token });

/** The tables that contain one of the texts, in any column of any type. */
async function tablesContaining(db: Database, texts: readonly string[]): Promise<string[]> {
  const tables = await db.execute<{ schema: string; name: string }>(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by table_name`);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const table = sql`${sql.identifier(schema)}.${sql.identifier(name)}`;
    const matches = texts.map((text) => sql`strpos(lower(t::text), lower(${text})) > 0`);
    const rows = await db.execute(
      sql`select 1 from ${table} t where ${sql.join(matches, sql` or `)} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const places = items.map((item) => ({ item, place: random.next() }));
  return places.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

let persons = 0;

/** A user with rows in every table. */
async function createKnownPerson(db: Database) {
  persons += 1;
  // Unique names and streets.
  const mark = `-${process.pid}-${persons}z`;
  const email = newEmail("Zephyrine.Quatrebarbes");
  const firstName = `Zéphyrine${mark}`;
  const lastName = `Quatrebarbes${mark}`;
  const street = `7 impasse du Scarabée${mark}`;
  const city = `Saint-Ébremond${mark}`;
  const user = await createUser({ db, email, firstName, lastName });
  const shipping = { street, city, postalCode: "50570" };
  const address = await createAddress({ db, userId: user.id, ...shipping, isDefault: true });
  const product = await createProduct({ db });
  await createReview({
    db,
    productId: product.id,
    userId: user.id,
    rating: 2,
    content: `Bien reçu à ${city}, signé ${lastName}.`,
  });
  const { cart } = await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
  const { order, invoice } = await createOrder({
    db,
    user,
    items: [{ product, quantity: 2 }],
    shipping,
  });
  if (!invoice) throw new Error("The order has no invoice.");
  await createCreditNote({ db, orderId: order.id });
  await db
    .insert(invoiceVersions)
    .values({ invoiceId: invoice.id, version: 1, content: invoice, replacedBy: user.id });
  await db
    .insert(contactMessages)
    .values({ name: lastName, email: email.toUpperCase(), message: `J'habite ${street}.` });
  await db
    .insert(stockAlerts)
    .values({ productId: product.id, email: email.toUpperCase(), tokenHash: email });
  await createCheckout({ db, user, shippingAddress: shipping, billingAddress: shipping });
  await db.insert(mailOutbox).values([
    { template: "verification", data: {}, recipient: email, userId: user.id, status: "sent" },
    { template: "order", data: { lastName }, recipient: email.toUpperCase(), status: "failed" },
    { template: "contact", data: { street }, recipient: "a@b.fr", replyTo: email, status: "sent" },
    {
      template: "withdrawal-notice",
      data: { buyer: { email, firstName, lastName }, items: `Tout, signé ${lastName}.` },
      recipient: "a@b.fr",
      replyTo: email,
      userId: user.id,
      status: "failed",
    },
  ]);
  await db.insert(withdrawals).values({
    orderId: order.id,
    userId: user.id,
    buyerEmail: email,
    buyerFirstName: firstName,
    buyerLastName: lastName,
    items: `Tout, signé ${lastName}.`,
  });
  const old = { street, city, user: `/api/users/${user.id}` };
  await db.insert(auditEntries).values([
    { actorId: user.id, action: "update", entity: "User", entityId: user.id, before: { lastName } },
    { action: "update", entity: "Address", entityId: address.id, before: { street } },
    { action: "update", entity: "Order", entityId: order.id, after: { shippingCity: city } },
    // Records of addresses that have been deleted.
    { action: "delete", entity: "Address", entityId: 900_001, before: old },
    { action: "delete", entity: "Address", entityId: 900_002, before: { street, userId: user.id } },
    {
      action: "delete",
      entity: "Cart",
      entityId: 900_003,
      before: { user: { id: user.id, city } },
    },
    { action: "create", entity: "Invoice", entityId: 900_004, after: { note: `à ${email}`, city } },
  ]);
  await db.insert(codeTries).values({
    tokenId: randomUUID(),
    userId: user.id,
    expiresAt: new Date(),
  });
  return { user, product, cart, order, invoice, texts: [email, firstName, lastName, street, city] };
}

test.describe("deletion for good", () => {
  test("leaves nothing but the archive", async ({ api, database, arrange }) => {
    const { user, product, order, invoice, texts } = await arrange(createKnownPerson);
    const token = await tokenOf(user);
    await turnTwoFactorOn({ api, token });
    expect(await tablesContaining(database, texts)).toEqual([
      "addresses",
      "audit_entries",
      "checkouts",
      "contact_messages",
      ...ARCHIVED_TABLES.slice(0, 3),
      "mail_outbox",
      "orders",
      "reviews",
      "stock_alerts",
      "users",
      "withdrawals",
    ]);
    const rating = async () => {
      const { json } = await api.get<{ avgRating: number | null }>(`/api/products/${product.id}`);
      return json.avgRating;
    };
    expect(await rating()).toBe(2);

    const answer = await requestDeletion(api, "hard", token);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ message: "Votre compte et vos données ont été supprimés." });

    expect(await tablesContaining(database, texts)).toEqual(ARCHIVED_TABLES);
    // No row refers to the user either.
    const references = await database.execute<{ table: string; column: string }>(sql`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('user_id', 'actor_id', 'replaced_by', 'created_by')`);
    expect(references.length).toBeGreaterThan(8);
    for (const { table, column } of references) {
      const rows = await database.execute(
        sql`select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = ${user.id}`,
      );
      expect(rows, `${table}.${column}`).toEqual([]);
    }

    const [keptOrder] = await database.select().from(orders).where(eq(orders.id, order.id));
    expect(keptOrder).toEqual({ ...order, refundedCents: order.totalCents, userId: null });
    const [keptInvoice] = await database.select().from(invoices).where(eq(invoices.id, invoice.id));
    expect(keptInvoice).toEqual({ ...invoice, userId: null });

    // The shop shows the change at once.
    expect(await rating()).toBeNull();
    expect(await isOpen({ api, token })).toBe(false);
    const json = { username: user.email, password: DEFAULT_PASSWORD };
    expect((await api.post("/api/login_check", { json })).status).toBe(401);
    // The e-mail address can be registered again.
    const next = { nom: "Durand", lastname: "Zoé", email: user.email, password: DEFAULT_PASSWORD };
    expect((await api.post("/api/register", { json: next })).status).toBe(201);
  });

  test("does not touch other users", async ({ api, database, arrange }) => {
    const other = await arrange(createKnownPerson);
    const before = await tablesContaining(database, other.texts);
    const user = await createUser({ db: database, email: `x${other.user.email}` });
    expect((await requestDeletion(api, "hard", await tokenOf(user))).status).toBe(200);
    expect(await tablesContaining(database, other.texts)).toEqual(before);
    expect(await isOpen({ api, token: await tokenOf(other.user) })).toBe(true);
  });

  test("makes no sequential scan", async ({ database }) => {
    const { user } = await createKnownPerson(database);
    await database.transaction(async (tx) => {
      const readings = async () => {
        const rows = await tx.execute(
          sql`select relname, seq_scan from pg_stat_xact_user_tables order by relname`,
        );
        return rows;
      };
      const before = await readings();
      // PostgreSQL would scan a small table even if it could use an index.
      await tx.execute(sql`set local enable_seqscan = off`);
      await eraseUser(tx, { userId: user.id });
      expect(await readings()).toEqual(before);
    });
  });

  test("happens once, and tells the person by a mail without a trace", async ({
    api,
    database,
    mailbox,
  }) => {
    const user = await createUser({ db: database });
    const token = await tokenOf(user);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => requestDeletion(api, "hard", token)),
    );
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    // The address is stored neither while the mail waits nor afterwards.
    expect(await tablesContaining(database, [user.email])).toEqual([]);
    await mailbox.waitForMail({ to: user.email, subject: "Votre compte a été supprimé" });
    const isErasureMail = eq(mailOutbox.template, "account-erased");
    await expect.poll(() => database.$count(mailOutbox, isErasureMail)).toBe(0);
  });
});

test("deactivation keeps the data", async ({ api, database, arrange, mailbox }) => {
  const { user, texts } = await arrange(createKnownPerson);
  const before = await tablesContaining(database, texts);
  await api.post("/api/reset-password", { json: { email: user.email } });
  const subject = "Choisissez un nouveau mot de passe";
  const mail = await mailbox.waitForMail({ to: user.email, subject });
  const link = tokenInMail({ mail, page: "reset-password" });
  const token = await tokenOf(user);
  const answer = await requestDeletion(api, "soft", token);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ message: "Votre compte a été désactivé." });
  expect(await tablesContaining(database, texts)).toEqual(before);
  const [stored] = await database.select().from(users).where(eq(users.id, user.id));
  expect(stored).toMatchObject({ isDeleted: true, deletedAt: expect.any(Date) });
  expect(await isOpen({ api, token })).toBe(false);
  const json = { username: user.email, password: DEFAULT_PASSWORD };
  const login = await api.post<Refusal>("/api/login_check", { json });
  expect(login.json.message).toBe("Email ou mot de passe incorrect");
  await mailbox.waitForMail({ to: user.email, subject: "Votre compte a été désactivé" });
  // The mail is deleted with the account, if the account is erased later.
  expect(await queuedMails(database, user.email)).toContainEqual(
    expect.objectContaining({ template: "account-deactivated", userId: user.id }),
  );
  // Mailed links stay invalid even after an administrator has reactivated the account.
  await database.update(users).set({ isDeleted: false }).where(eq(users.id, user.id));
  expect((await api.get(`/api/reset-password/verify/${link}`)).json).toEqual({ valid: false });
});

test("an erasure succeeds while reviews are edited", async ({ api, database }) => {
  const random = createRandom(20_261_121);
  const admin = await createAdmin({ db: database });
  const adminToken = await tokenOf(admin);
  const reviewed = [];
  for (let each = 0; each < 4; each++) reviewed.push(await createProduct({ db: database }));
  const ids = reviewed.map(({ id }) => id);
  const people = [];
  for (let each = 0; each < 24; each++) {
    const user = await createUser({ db: database });
    const written = [];
    // In a random order for each person: an erasure that did not sort its rows would go in this order.
    for (const productId of shuffled(random, ids))
      written.push(
        await createReview({ db: database, productId, userId: user.id, status: "VALIDATED" }),
      );
    people.push({ token: await tokenOf(user), written });
  }
  const edits = people.flatMap(({ token, written }) => [
    async () => {
      const { status } = await requestDeletion(api, "hard", token);
      expect([200, 401]).toContain(status);
    },
    ...written.flatMap(({ id }) => [
      async () => {
        const json = { content: "Revu et corrigé.", rating: 2 };
        const { status } = await api.put(`/api/reviews_edit/${id}`, { token, json });
        expect([200, 401, 403, 404]).toContain(status);
      },
      async () => {
        const json = random.pick([{ status: "REJECTED" }, { rating: 1 }, { user: admin.id }]);
        const { status } = await api.put(`/api/reviews/${id}`, { token: adminToken, json });
        // A second review of one product by one person is a conflict.
        expect([200, 404, 409, 422]).toContain(status);
      },
    ]),
  ]);
  // An answer of 500 or more fails the test by itself.
  const queue = shuffled(random, edits);
  const lane = async () => {
    for (let edit = queue.pop(); edit; edit = queue.pop()) await edit();
  };
  // More at a time than the shop has connections, but few enough that none waits too long.
  await Promise.all(Array.from({ length: 24 }, lane));

  for (const { id, ratingCount, ratingSum } of await database
    .select()
    .from(products)
    .where(inArray(products.id, ids))) {
    const kept = await database
      .select({ rating: reviews.rating })
      .from(reviews)
      .where(and(eq(reviews.productId, id), eq(reviews.status, "VALIDATED")));
    expect(ratingCount).toBe(kept.length);
    expect(ratingSum).toBe(kept.reduce((sum, { rating }) => sum + rating, 0));
  }
});

for (const [title, method, resource] of [
  ["the cart is changed", "put", "carts"],
  ["an order is changed", "put", "admin_orders"],
  ["an order is deleted", "delete", "admin_orders"],
] as const)
  test(`an erasure succeeds while ${title} by staff`, async ({ api, database }) => {
    const token = await tokenOf(await createAdmin({ db: database }));
    const { user, product, cart, order } = await createKnownPerson(database);
    const path = `/api/${resource}/${resource === "carts" ? cart.id : order.id}`;
    const staff = await database.transaction(async (tx) => {
      // As an erasure begins: it locks the person, then the products of the reviews.
      await tx.select().from(users).where(eq(users.id, user.id)).for("update");
      await tx.select().from(products).where(eq(products.id, product.id)).for("no key update");
      const answer = api[method](path, {
        token,
        ...(method === "put" && { json: { user: user.id } }),
      });
      await expect.poll(() => countLockWaits(database)).toBeGreaterThan(0);
      await eraseUser(tx, { userId: user.id });
      return { answer };
    });
    // An answer of 500 or more fails the test by itself.
    expect([204, 404, 422]).toContain((await staff.answer).status);
    expect(await database.select().from(users).where(eq(users.id, user.id))).toEqual([]);
  });

test("an unknown type of deletion is refused", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  for (const mode of ["medium", "SOFT", "hard%20", "__proto__"])
    expect((await requestDeletion(api, mode, token)).status).toBe(404);
  expect(await isOpen({ api, token })).toBe(true);
});

test.describe("the last administrator", () => {
  const LAST =
    "Vous êtes le dernier administrateur de la boutique\u00a0: votre compte ne peut pas être supprimé.";
  const adminsOf = (db: Database) =>
    db.select().from(users).where(sql`'ROLE_ADMIN' = any(${users.roles}) and not is_deleted`);

  test("can be neither deactivated nor erased", async ({ shopWith }) => {
    const { api, database } = await shopWith();
    const [admin] = await adminsOf(database);
    if (!admin) throw new Error("The demonstration shop has no administrator.");
    const token = await tokenOf(admin);
    // Administrators who cannot log in do not count.
    await createAdmin({ db: database, isDeleted: true });
    await createAdmin({ db: database, isVerified: false });
    for (const mode of ["soft", "hard"]) {
      const { status, json } = await requestDeletion(api, mode, token);
      expect([status, json.error, json.errors]).toEqual([422, LAST, { general: LAST }]);
    }
    expect(await isOpen({ api, token })).toBe(true);
    await createAdmin({ db: database });
    expect((await requestDeletion(api, "hard", token)).status).toBe(200);
  });

  test("remains when all delete their accounts concurrently", async ({ shopWith }) => {
    const { api, database } = await shopWith();
    for (let count = 0; count < 4; count++) await createAdmin({ db: database });
    const tokens = await Promise.all((await adminsOf(database)).map(tokenOf));
    const answers = await Promise.all(
      tokens.map((token, index) => requestDeletion(api, index % 2 ? "soft" : "hard", token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 422]);
    expect(await adminsOf(database)).toHaveLength(1);
  });
});

test("messages of others stay when the recipient's account is erased", async ({ database: db }) => {
  const reader = await createUser({ db });
  const [mail] = await db
    .insert(mailOutbox)
    .values({
      template: "contact",
      data: {},
      recipient: reader.email,
      replyTo: "visiteuse@exemple.test",
      status: "failed",
    })
    .returning({ id: mailOutbox.id });
  await db.transaction((tx) => eraseUser(tx, { userId: reader.id }));
  const isMail = eq(mailOutbox.id, Number(mail?.id));
  expect(await db.select().from(mailOutbox).where(isMail)).toHaveLength(1);
  await db.delete(mailOutbox).where(isMail);
});

test("an erasure leaves a former owner's payment", async ({ api, database: db, cards }) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  await db.update(users).set({ email: newEmail() }).where(eq(users.id, buyer.id));
  const { id } = await createUser({ db, email: buyer.email });
  await cards.fault({ webhook: "*", effect: "never", times: 9 });
  await cards.pay(secret);
  await db.transaction((tx) => eraseUser(tx, { userId: id }));
  const { status, text } = await confirm({ api, buyer, secret });
  await cards.clearFaults();
  expect(status, text).toBe(201);
});

test("an erasure covers all forms of the e-mail address", async ({ database: db }) => {
  const ascii = newEmail().replace("@exemple.test", "@xn--socit-esab.test");
  const readable = ascii.replace("@xn--socit-esab.test", "@société.test");
  for (const [kept, former] of [
    [ascii, readable],
    [readable, ascii],
  ] as const) {
    const { id } = await createUser({ db, email: kept });
    await db.insert(contactMessages).values({ name: "Zoé", email: former, message: "Bonjour" });
    const before = { email: former };
    await db
      .insert(auditEntries)
      .values({ action: "update", entity: "Address", entityId: 1, before });
    await db.transaction((tx) => eraseUser(tx, { userId: id }));
    expect(await tablesContaining(db, [kept, former])).toEqual([]);
  }
});
