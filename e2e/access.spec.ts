import { readdirSync } from "node:fs";
import path from "node:path";
import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import {
  createCart,
  createCheckout,
  createOrder,
  createShippingMethod,
  createWithdrawal,
} from "@/db/factories/orders";
import {
  createAddress,
  createAdmin,
  createUser,
  DEFAULT_PASSWORD,
  single,
} from "@/db/factories/people";
import { invoiceVersions } from "@/db/schema/invoices";
import { mailOutbox } from "@/db/schema/mail";
import { shipments } from "@/db/schema/shipments";
import { issueToken } from "@/lib/auth/token";
import { staleTokenOf } from "./accounts";
import { ORDER_ADDRESSES } from "./admin";
import { SCREENS } from "./backoffice";
import { sessionCookieOf } from "./browser-session";
import { digests } from "./digests";
import { expect, test } from "./fixtures";

// Authorization in one table: every verb of every route on disk, and the status that each caller gets. A
// route or verb missing from the table fails the test, and so does an entry without a route. Each call
// creates its own rows. After a refused write, the whole database is compared with its state before.

type User = Awaited<ReturnType<typeof createUser>>;

/** The users of one call. `owner` owns its resource, `other` is another customer. */
interface People {
  owner: User;
  other: User;
  admin: User;
}

interface Context {
  db: Database;
  people: People;
}

const CALLERS = ["anonymous", "other", "owner", "admin"] as const;
type Caller = (typeof CALLERS)[number];
type Json = Record<string, unknown>;

/** A row, or several values, for the parameters of a path. */
type Row = (context: Context) => Promise<{ id: number } | (string | number)[]>;

interface Call {
  /** Creates the row that the path names. */
  row?: Row;
  query?: string;
  json?: Json | ((context: Context) => Json | Promise<Json>);
  /** The status for the scheduler, which sends CRON_SECRET. */
  scheduler?: number;
  /** A sensitive change: a login more than ten minutes ago is refused. */
  needsRecentLogin?: true;
  /** Also accepts the token of a login whose code is pending; the login's own tests cover this. */
  takesPendingToken?: true;
}

type Rule = Record<Caller, number> & Call;

const by = (anonymous: number, other: number, owner: number, admin: number, call: Call = {}) => ({
  anonymous,
  other,
  owner,
  admin,
  ...call,
});

const everyone = (status: number, call?: Call): Rule => by(status, status, status, status, call);

/** Each caller acts on their own account. */
const loggedIn = (status: number, call?: Call): Rule => by(401, status, status, status, call);

/** A resource of the owner's: other users get 404, even administrators. */
const ownerOnly = (status: number, call?: Call): Rule => by(401, 404, status, 404, call);

/** A resource of the owner's that administrators read, too. */
const ownerOrAdmin = (call: Call): Rule => by(401, 404, 200, 200, call);

const adminOnly = (status: number, call?: Call): Rule => by(401, 403, 403, status, call);

/** What only administrators list, read, create, change and delete. */
const adminResource = (
  path: string,
  row: Row,
  { post, put }: Record<"post" | "put", Call["json"]>,
): Record<string, Rule> => ({
  [`GET ${path}`]: adminOnly(200),
  [`POST ${path}`]: adminOnly(201, { json: post }),
  [`GET ${path}/{id}`]: adminOnly(200, { row }),
  [`PUT ${path}/{id}`]: adminOnly(200, { row, json: put }),
  [`DELETE ${path}/{id}`]: adminOnly(204, { row }),
});

/** A job that only the scheduler runs. */
const job = (name: string, call?: Call): Record<string, Rule> => ({
  [`GET /api/cron/${name}`]: everyone(401, { ...call, scheduler: 200 }),
  [`POST /api/cron/${name}`]: everyone(401, { ...call, scheduler: 200 }),
});

const given =
  (...values: (string | number)[]): Row =>
  async () =>
    values;

const idOf = async (row: Promise<{ id: number }>) => (await row).id;

// The owner's rows, or rows of nobody.
const category: Row = ({ db }) => createCategory({ db });
const tag: Row = ({ db }) => createTag({ db });
const product: Row = ({ db }) => createProduct({ db });
const file: Row = ({ db }) => createProduct({ db, type: "digital" });
const user: Row = async ({ people }) => people.owner;
const address: Row = ({ db, people }) => createAddress({ db, userId: people.owner.id });
const billingAddress: Row = ({ db, people }) =>
  createAddress({ db, userId: people.owner.id, type: "billing" });

const filledCart = async ({ db, people }: Context) =>
  createCart({
    db,
    userId: people.owner.id,
    items: [{ productId: await idOf(createProduct({ db })) }],
  });
const cart: Row = async (context) => (await filledCart(context)).cart;
const cartItem: Row = (context) => single(filledCart(context).then(({ items }) => items));

/** Inactive: an active method would change the totals of other tests. */
const shippingMethod: Row = ({ db }) => createShippingMethod({ db, isActive: false });

const buy = async ({ db, people }: Context, values: { status?: "shipped" } = {}) =>
  createOrder({
    db,
    user: people.owner,
    items: [{ product: await createProduct({ db }) }],
    ...values,
  });
const order = async (context: Context) => (await buy(context)).order;
const shippedOrder: Row = async (context) => (await buy(context, { status: "shipped" })).order;
const invoice = (context: Context) =>
  single(buy(context).then((bought) => (bought.invoice ? [bought.invoice] : [])));

const invoiceVersion: Row = async (context) => {
  const { id, version, ...content } = await invoice(context);
  await context.db.insert(invoiceVersions).values({ invoiceId: id, version, content });
  return [id, version];
};

const shipment: Row = async (context) => {
  const values = { orderId: await idOf(order(context)), carrier: "UPS" };
  return single(context.db.insert(shipments).values(values).returning());
};

const withdrawal: Row = async (context) =>
  createWithdrawal({ db: context.db, ...(await buy(context)) });

const creditNote: Row = async (context) =>
  createCreditNote({ db: context.db, orderId: await idOf(order(context)) });

const review = async ({ db, people }: Context, values: { status?: "PENDING" } = {}) =>
  createReview({
    db,
    productId: await idOf(createProduct({ db })),
    userId: people.owner.id,
    ...values,
  });
/** Visible to all. */
const validatedReview: Row = (context) => review(context);
const pendingReview: Row = (context) => review(context, { status: "PENDING" });

const failedMail: Row = ({ db }) =>
  single(
    db
      .insert(mailOutbox)
      .values({ template: "contact", data: {}, recipient: "a@exemple.test", status: "failed" })
      .returning(),
  );

const UNKNOWN_TOKEN = "0".repeat(64);
const ADDRESS = { street: "3 quai des Brumes", city: "Nantes", postalCode: "44000" };
const NEW_PRODUCT = {
  name: "Lampe de bureau",
  price: 42.9,
  description: "Une lampe orientable.",
  defaultCategory: "/api/categories/1",
};

const NEW_FILE = { ...NEW_PRODUCT, filesize: 1200 };
const RENAMED = { name: "Autre nom" };
const NEW_METHOD = { name: "Colis", price: 4.9, active: false };

const newAddress = ({ people }: Context) => ({ ...ADDRESS, user: people.owner.id });
const newCart = ({ people }: Context) => ({ user: people.owner.id, items: [] });

const newInvoice = ({ people }: Context) => ({
  totalAmount: 12.5,
  user: people.owner.id,
  pdfPath: "a.pdf",
  paymentId: "pi_1",
});

const newOrder = async ({ db, people }: Context) => ({
  user: String(people.owner.id),
  orderItems: [{ product: String(await idOf(createProduct({ db }))), quantity: 1 }],
  total: 19.9,
  ...ORDER_ADDRESSES,
  invoice_pdf_path: "/api/invoices/1/download",
});

const newUser = ({ people }: Context) => ({
  email: `ajoutee-${people.owner.id}@exemple.test`,
  name: "Dupont",
  lastname: "Élise",
  password: "Motdepasse-2026!",
  roles: ["ROLE_ADMIN"],
});
const CHANGED_USER = { name: "Petit", roles: ["ROLE_ADMIN"] };

const RULES: Record<string, Rule> = {
  // The API itself
  "GET /api": everyone(200),
  "GET /api/docs": everyone(200),
  "GET /api/docs/viewer.js": everyone(200),
  "GET /api/docs.json": everyone(200),
  "GET /api/docs.jsonld": everyone(200),
  "GET /api/contexts/{name}": everyone(200, { row: given("Product") }),

  // Catalogue and home
  "GET /api/product_facets": everyone(200),
  "GET /api/products": everyone(200),
  "GET /api/products/{id}": everyone(200, { row: given(1) }),
  "GET /api/products/{id}/related": everyone(200, { row: given(1) }),
  "GET /api/categories": everyone(200),
  "GET /api/categories/{id}": everyone(200, { row: given(1) }),
  "GET /api/suggestions": everyone(200, { query: "?q=tasse" }),
  "GET /api/tags": everyone(200),
  "GET /api/tags/{id}": everyone(200, { row: given(1) }),
  "GET /api/home": everyone(200),
  "POST /api/stock_alerts": everyone(202, {
    json: async ({ db }) => ({
      productId: await idOf(createProduct({ db, stock: 0 })),
      email: "personne@exemple.test",
    }),
  }),
  "POST /api/stock_alerts/confirm": everyone(200, { json: { token: UNKNOWN_TOKEN } }),
  "POST /api/stock_alerts/cancel": everyone(200, { json: { token: UNKNOWN_TOKEN } }),

  // Contact, health, and what the scheduler calls
  "POST /api/contact": everyone(201, {
    json: { nom: "Léa", email: "lea@exemple.test", message: "Bonjour à vous." },
  }),
  "GET /api/health": everyone(200),
  "GET /api/ready": everyone(200),
  ...job("outbox"),
  ...job("checkouts"),
  ...job("pictures"),
  ...job("products"),
  // The period begins in 2100: it has no payments, so nothing is refunded.
  ...job("payments", { query: "?since=2100-01-01T00:00:00Z" }),

  // Registration, login, forgotten password
  "POST /api/register": everyone(201, {
    json: ({ people }) => ({
      nom: "Dupont",
      lastname: "Élise",
      email: `nouvelle-${people.owner.id}@exemple.test`,
      password: "Motdepasse-2026!",
    }),
  }),
  "GET /api/verify-email/{token}": everyone(200, { row: given(UNKNOWN_TOKEN) }),
  "POST /api/login_check": everyone(401, {
    json: { username: "personne@exemple.test", password: "Faux-2026!" },
  }),
  "POST /api/logout": loggedIn(204),
  "POST /api/reset-password": everyone(200, { json: { email: "personne@exemple.test" } }),
  "GET /api/reset-password/verify/{token}": everyone(200, { row: given(UNKNOWN_TOKEN) }),
  "POST /api/reset-password/confirm": everyone(422, {
    json: { token: UNKNOWN_TOKEN, password: "Nouveau-2026!" },
  }),
  "POST /api/2fa/activate": loggedIn(200, { needsRecentLogin: true }),
  "POST /api/2fa/verify": loggedIn(200, {
    json: { code: "000000" },
    needsRecentLogin: true,
    takesPendingToken: true,
  }),
  "POST /api/2fa/deactivate": loggedIn(200, { needsRecentLogin: true }),
  "POST /api/reauthenticate": loggedIn(200, { json: { password: DEFAULT_PASSWORD } }),

  // The catalogue, for administrators
  "POST /api/products": adminOnly(201, { json: { ...NEW_PRODUCT, productType: "physical" } }),
  "PUT /api/products/{id}": adminOnly(200, { row: product, json: RENAMED }),
  "DELETE /api/products/{id}": adminOnly(204, { row: product }),
  "GET /api/products/{id}/stock_movements": adminOnly(200, { row: given(1) }),
  "POST /api/products/{id}/stock_movements": adminOnly(201, {
    row: given(1),
    json: { quantity: 3, reason: "Inventaire" },
  }),
  "POST /api/stock_imports": adminOnly(201, { json: { csv: "ID;Stock\n1;5" } }),
  ...adminResource("/api/physical_products", product, { post: NEW_PRODUCT, put: RENAMED }),
  ...adminResource("/api/digital_products", file, { post: NEW_FILE, put: RENAMED }),
  "POST /api/categories": adminOnly(201, { json: { name: "Jardin" } }),
  "PUT /api/categories/{id}": adminOnly(200, { row: category, json: { name: "Jardin" } }),
  "DELETE /api/categories/{id}": adminOnly(204, { row: category }),
  "DELETE /api/admin/categories/{id}/delete-with-products": adminOnly(204, { row: category }),
  "POST /api/tags": adminOnly(201, { json: { name: "Soldes" } }),
  "PUT /api/tags/{id}": adminOnly(200, { row: tag, json: { name: "Soldes" } }),
  "DELETE /api/tags/{id}": adminOnly(204, { row: tag }),
  // Pictures are sent as forms, so JSON gets 415. Uploads by administrators have tests of their own.
  "POST /api/upload": adminOnly(415, { json: {} }),

  // Users, for administrators
  "GET /api/users": adminOnly(200),
  "GET /api/users/{id}": adminOnly(200, { row: user }),
  "GET /api/users-without-cart": adminOnly(200),
  "POST /api/users": adminOnly(201, { json: newUser, needsRecentLogin: true }),
  "PUT /api/users/{id}": adminOnly(200, {
    row: user,
    json: CHANGED_USER,
    needsRecentLogin: true,
  }),
  "DELETE /api/users/{id}": adminOnly(204, { row: user, needsRecentLogin: true }),
  "POST /api/admin/users": adminOnly(201, { json: newUser, needsRecentLogin: true }),
  "PUT /api/admin/users/{id}": adminOnly(200, {
    row: user,
    json: CHANGED_USER,
    needsRecentLogin: true,
  }),
  "DELETE /api/admin/users/{id}/2fa": adminOnly(204, { row: user, needsRecentLogin: true }),

  // The shop, for administrators
  "GET /api/admin/dashboard": adminOnly(200),
  "POST /api/admin/mails_retry": adminOnly(200),
  "DELETE /api/admin/mails/{id}": adminOnly(204, { row: failedMail }),
  "GET /api/admin/seller": adminOnly(200),
  // All tests share the one seller, so the body is invalid. Valid changes have tests of their own.
  "PUT /api/admin/seller": adminOnly(422, { json: { siren: "1" } }),
  "GET /api/admin/history/{entity}/{id}": adminOnly(200, { row: given("Product", 1) }),
  ...adminResource("/api/shipping_methods", shippingMethod, {
    post: NEW_METHOD,
    put: { price: 5.9 },
  }),

  // All users' addresses, carts, orders, invoices and reviews, for administrators
  ...adminResource("/api/addresses", address, { post: newAddress, put: ADDRESS }),
  ...adminResource("/api/carts", cart, { post: newCart, put: { items: [] } }),
  "GET /api/orders": adminOnly(200),
  ...adminResource("/api/admin_orders", order, { post: newOrder, put: { total: 5 } }),
  "POST /api/admin_orders/{id}/prepare": adminOnly(200, { row: order }),
  "POST /api/admin_orders/{id}/shipments": adminOnly(201, {
    row: order,
    json: { carrier: "UPS" },
  }),
  "POST /api/admin_orders/{id}/deliver": adminOnly(200, { row: shippedOrder }),
  // 400: the `Idempotency-Key` header is missing. Valid refunds have tests of their own.
  "POST /api/admin_orders/{id}/refunds": adminOnly(400, {
    row: order,
    json: { amount: 1, reason: "Retard" },
  }),
  "GET /api/admin_orders/{id}/refunds": adminOnly(200, { row: order }),
  "POST /api/packing_slips": adminOnly(200, {
    json: async (context) => ({ orders: [await idOf(order(context))] }),
  }),
  "GET /api/shipments/{id}": adminOnly(200, { row: shipment }),
  "PUT /api/shipments/{id}": adminOnly(200, { row: shipment, json: { carrier: "DHL" } }),
  "GET /api/withdrawals": adminOnly(200),
  "GET /api/withdrawals/{id}": adminOnly(200, { row: withdrawal }),
  "PUT /api/withdrawals/{id}": adminOnly(200, {
    row: withdrawal,
    json: { state: "refused", reason: "Objet abîmé." },
  }),
  "GET /api/credit_notes": adminOnly(200),
  "GET /api/credit_notes/{id}": adminOnly(200, { row: creditNote }),
  ...adminResource("/api/admin/invoices", invoice, { post: newInvoice, put: { totalAmount: 5 } }),
  "GET /api/admin/invoices/{id}/versions": adminOnly(200, { row: invoiceVersion }),
  "GET /api/admin/invoices/{id}/versions/{version}/download": adminOnly(200, {
    row: invoiceVersion,
  }),
  "POST /api/admin/invoices_create": adminOnly(201, { json: newInvoice }),
  "PUT /api/admin/invoices_update/{id}": adminOnly(200, { row: invoice, json: { totalAmount: 5 } }),
  "DELETE /api/admin/invoices_delete/{id}": adminOnly(204, { row: invoice }),
  "POST /api/reviews": adminOnly(201, {
    json: async ({ db, people }) => ({
      product: await idOf(createProduct({ db })),
      user: people.owner.id,
      rating: 4,
      content: "Bien.",
    }),
  }),
  "PUT /api/reviews/{id}": adminOnly(200, { row: validatedReview, json: { status: "REJECTED" } }),

  // The user's own account, addresses and cart
  "GET /api/account": loggedIn(200),
  "PUT /api/account": loggedIn(200, {
    json: { nom: "Petit", password: "Nouveau-2026!" },
    needsRecentLogin: true,
  }),
  "DELETE /api/account/delete/{mode}": loggedIn(200, {
    row: given("soft"),
    needsRecentLogin: true,
  }),
  "GET /api/addresses_front": loggedIn(200),
  "POST /api/addresses_front": loggedIn(201, { json: ADDRESS }),
  "GET /api/addresses_front/{id}": ownerOnly(200, { row: address }),
  "PUT /api/addresses_front/{id}": ownerOnly(200, { row: address, json: ADDRESS }),
  "DELETE /api/addresses_front/{id}": ownerOnly(204, { row: address }),
  "PUT /api/addresses_front/{id}/default": ownerOnly(200, { row: address }),
  "PUT /api/addresses_front/{id}/default-billing": ownerOnly(200, { row: billingAddress }),
  "GET /api/cart": loggedIn(200),
  "DELETE /api/cart": loggedIn(204),
  "POST /api/cart/add": loggedIn(201, {
    json: async ({ db }) => ({ productId: await idOf(createProduct({ db })), quantity: 1 }),
  }),
  "PUT /api/cart/item/{id}": ownerOnly(200, { row: cartItem, json: { quantity: 2 } }),
  "DELETE /api/cart/item/{id}": ownerOnly(204, { row: cartItem }),

  // The checkout: the owner pays for their own cart, with their own address
  "POST /api/cart/payment-intent": by(401, 422, 200, 422, {
    json: async (context) => {
      await filledCart(context);
      const { id } = await createAddress({ db: context.db, userId: context.people.owner.id });
      return { shippingAddressId: id, billingAddressId: id };
    },
  }),
  "POST /api/cart/confirm-order": ownerOnly(200, {
    json: async (context) => {
      const { id: orderId, totalCents, paymentIntentId } = await order(context);
      const completed = { status: "completed", totalCents, paymentIntentId, orderId } as const;
      await createCheckout({ db: context.db, user: context.people.owner, ...completed });
      return { paymentIntentId };
    },
  }),
  "GET /api/checkout/configuration": loggedIn(200),
  "POST /api/stripe/webhook": everyone(400, { json: {} }),

  // Orders and invoices of customers; administrators read them all
  "GET /api/my-orders": loggedIn(200),
  "GET /api/orders_details/{id}": ownerOrAdmin({ row: order }),
  "GET /api/orders/{id}": ownerOrAdmin({ row: order }),
  "GET /api/orders/{id}/withdrawal": ownerOrAdmin({ row: order }),
  "POST /api/orders/{id}/withdrawal": ownerOnly(201, { row: order, json: { items: "" } }),
  "GET /api/invoices/{id}/download": ownerOrAdmin({ row: invoice }),
  "GET /api/credit-notes/{id}/download": ownerOrAdmin({ row: creditNote }),

  // Reviews
  "GET /api/reviews": by(401, 403, 403, 200),
  "GET /api/reviews/{id}": by(404, 404, 200, 200, { row: pendingReview }),
  "DELETE /api/reviews/{id}": by(401, 403, 204, 204, { row: validatedReview }),
  "POST /api/reviews_create": by(401, 403, 201, 403, {
    json: async (context) => {
      const { lines } = await buy(context);
      return { content: "Un avis de dix lettres.", rating: 4, product: lines[0]?.productId };
    },
  }),
  "PUT /api/reviews_edit/{id}": by(401, 403, 200, 403, {
    row: validatedReview,
    json: { rating: 2 },
  }),
  "GET /api/check-purchase/{id}": loggedIn(200, { row: given(1) }),
};

const PROVEN_ELSEWHERE = new Set([
  // Refuses every path that no other route serves; tested in representation.spec.ts.
  "/api/[...path]",
  // next-auth's own protocol, with its own cookies and tokens; tested in next-auth.spec.ts.
  "/api/auth/[...nextauth]",
]);

/** `app/api/products/[id]/route.ts` serves `/api/products/{id}`. */
const routesOnDisk = readdirSync(path.join(import.meta.dirname, "../app/api"), { recursive: true })
  .map(String)
  .filter((file) => path.basename(file) === "route.ts")
  .map((file) => path.posix.join("/api", path.dirname(file).replaceAll(path.sep, "/")))
  .map((route) => route.replace(/\[(?!\.)([^\]]+)\]/g, "{$1}"))
  .filter((route) => !PROVEN_ELSEWHERE.has(route))
  .sort();

test("the table holds every verb of every route, and no others", async ({ api }) => {
  const calls: string[] = [];
  for (const route of routesOnDisk) {
    const { status, headers } = await api.request("OPTIONS", route.replace(/\{\w+\}/g, "1"));
    expect(status, `OPTIONS ${route}`).toBe(204);
    const verbs = String(headers.allow).split(", ");
    calls.push(
      ...verbs.filter((verb) => !/^(?:HEAD|OPTIONS)$/.test(verb)).map((verb) => `${verb} ${route}`),
    );
  }
  expect(calls.length).toBeGreaterThan(10);
  expect(Object.keys(RULES).toSorted()).toEqual(calls.toSorted());
});

async function createPeople(db: Database): Promise<People> {
  return {
    owner: await createUser({ db }),
    other: await createUser({ db }),
    admin: await createAdmin({ db }),
  };
}

/** The token of each caller, and the status that the caller gets. */
function callersOf(rule: Rule, cronSecret: string) {
  const callers: [who: string, status: number, token: (people: People) => Promise<string>][] =
    CALLERS.filter((caller) => caller !== "anonymous").map((caller) => [
      caller,
      rule[caller],
      (people) => issueToken({ user: people[caller], type: "access" }),
    ]);
  if (rule.scheduler !== undefined)
    callers.push(["scheduler", rule.scheduler, async () => cronSecret]);
  if (rule.anonymous !== 401 || rule.owner === 401) return callers;
  callers.push(
    ["an invalid token", 401, async () => "abc.def.ghi"],
    [
      "a revoked token",
      401,
      ({ owner: { sessionVersion, ...owner } }) =>
        issueToken({ user: { ...owner, sessionVersion: sessionVersion - 1 }, type: "access" }),
    ],
  );
  if (rule.needsRecentLogin)
    callers.push(["a login of eleven minutes ago", 403, ({ admin }) => staleTokenOf(admin)]);
  if (!rule.takesPendingToken)
    callers.push([
      "a token whose code is pending",
      401,
      ({ owner }) => issueToken({ user: owner, type: "pending-2fa" }),
    ]);
  return callers;
}

for (const [call, rule] of Object.entries(RULES)) {
  const [verb = "", template = ""] = call.split(" ");
  test(call, async ({ api, database: db, shopEnv }) => {
    for (const [who, status, tokenOf] of [
      ["anonymous", rule.anonymous, null] as const,
      ...callersOf(rule, String(shopEnv.CRON_SECRET)),
    ]) {
      const context = { db, people: await createPeople(db) };
      const row = (await rule.row?.(context)) ?? [];
      const params = Array.isArray(row) ? [...row] : [row.id];
      const url = template.replace(/\{\w+\}/g, () => String(params.shift())) + (rule.query ?? "");
      const json = typeof rule.json === "function" ? await rule.json(context) : rule.json;
      const token = await tokenOf?.(context.people);
      const before = status >= 400 && verb !== "GET" ? await digests(db) : null;
      const answer = await api.request(verb, url, { ...(token && { token }), json });
      expect(answer.status, `${call} by ${who}: ${answer.text}`).toBe(status);
      if (status >= 400)
        expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
      if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Bearer");
      if (before) expect(await digests(db), `the database after ${call} by ${who}`).toEqual(before);
    }
  });
}

test("verbs that a route does not offer are 405, whoever asks", async ({ api, database: db }) => {
  const { admin } = await createPeople(db);
  const token = await issueToken({ user: admin, type: "access" });
  for (const route of routesOnDisk) {
    const url = route.replace(/\{\w+\}/g, "1");
    for (const verb of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (`${verb} ${route}` in RULES) continue;
      const { status, headers, json } = await api.request(verb, url, { token });
      expect(status, `${verb} ${url}`).toBe(405);
      expect(String(headers.allow).split(", ")).not.toContain(verb);
      expect(json).toMatchObject({ "@type": "hydra:Error", status: 405 });
    }
  }
});

test("screens lead visitors to the login, and customers home", async ({ api, database: db }) => {
  const { other, admin } = await createPeople(db);
  const open = async (path: string, user?: User) => {
    const { status, headers, text } = await api.get(path, {
      accept: "text/html",
      headers: user ? { Cookie: await sessionCookieOf(user) } : {},
    });
    const { pathname } = new URL(String(headers.location ?? path), "http://shop.test");
    return { status, headers, text, pathname };
  };
  for (const path of [...SCREENS, "/backoffice/inconnue/7"]) {
    expect(await open(path), path).toMatchObject({ status: 307, pathname: "/login" });
    expect(await open(path, other), path).toMatchObject({ status: 307, pathname: "/" });
  }
  for (const path of SCREENS)
    expect(await open(path, admin), path).toMatchObject({
      status: 200,
      headers: { "cache-control": expect.stringContaining("no-store") },
      text: expect.stringContaining('name="robots" content="noindex'),
    });
});
