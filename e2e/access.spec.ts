import { readdirSync } from "node:fs";
import path from "node:path";
import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import {
  createCart,
  createOrder,
  createShippingMethod,
  createWithdrawal,
} from "@/db/factories/orders";
import { createAddress, createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { checkouts } from "@/db/schema/checkout";
import { invoiceVersions } from "@/db/schema/invoices";
import { mailOutbox } from "@/db/schema/mail";
import { shipments } from "@/db/schema/shipments";
import { issueToken } from "@/lib/auth/token";
import { staleTokenOf } from "./accounts";
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

const CALLERS = ["anonymous", "other", "owner", "admin"] as const;
type Caller = (typeof CALLERS)[number];

interface Rule extends Record<Caller, number> {
  /** Creates the rows that the call needs. Returns its URL, if that has parameters, and its body. */
  on?: (context: { db: Database; people: People }) => Promise<{ path?: string; json?: unknown }>;
  /** The status for the scheduler, which sends CRON_SECRET. */
  scheduler?: number;
  /** A sensitive change: a login more than ten minutes ago is refused. */
  needsRecentLogin?: true;
  /** Also accepts the token of a login whose code is pending; the login's own tests cover this. */
  takesPendingToken?: true;
}

const everyone = (status: number) => ({
  anonymous: status,
  other: status,
  owner: status,
  admin: status,
});

/** Each caller acts on their own account. */
const loggedIn = (status: number) => ({ ...everyone(status), anonymous: 401 });

/** A resource of the owner's: other users get 404, even administrators. */
const ownerOnly = (status: number) => ({ anonymous: 401, other: 404, owner: status, admin: 404 });

const adminOnly = (status: number) => ({
  anonymous: 401,
  other: 403,
  owner: 403,
  admin: status,
});

const nobody = everyone(401);

const fixed = (given: { path?: string; json?: unknown }) => ({ on: async () => given });

/** The period begins in 2100: it has no payments, so nothing is refunded. */
const onPayments = fixed({ path: "/api/cron/payments?since=2100-01-01T00:00:00Z" });

const UNKNOWN_TOKEN = "0".repeat(64);

const ADDRESS = { street: "3 quai des Brumes", city: "Nantes", postalCode: "44000" };

/** Calls the URL of one of the owner's addresses. `type` decides which default the address can be. */
const onAddress = (
  suffix: string,
  { type = "shipping", json }: { type?: "shipping" | "billing"; json?: unknown } = {},
): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const { id } = await createAddress({ db, userId: people.owner.id, type });
    return { path: `/api/addresses_front/${id}${suffix}`, json };
  },
});

/** Calls the URL of an item in the owner's cart. */
const onCartItem = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const { id: productId } = await createProduct({ db });
    const { items } = await createCart({ db, userId: people.owner.id, items: [{ productId }] });
    return { path: `/api/cart/item/${items[0]?.id}`, json };
  },
});

const NEW_PRODUCT = {
  name: "Lampe de bureau",
  price: 42.9,
  description: "Une lampe orientable.",
  defaultCategory: "/api/categories/1",
};

/** Calls the URL of a new product. */
const onProduct = (
  collection: string,
  { type = "physical", json }: { type?: "physical" | "digital"; json?: unknown } = {},
): Pick<Rule, "on"> => ({
  on: async ({ db }) => {
    const { id } = await createProduct({ db, type });
    return { path: `${collection}/${id}`, json };
  },
});

/** Calls the URL of a category without products. */
const onCategory = (
  collection: string,
  { suffix = "", json }: { suffix?: string; json?: unknown } = {},
): Pick<Rule, "on"> => ({
  on: async ({ db }) => {
    const { id } = await createCategory({ db });
    return { path: `${collection}/${id}${suffix}`, json };
  },
});

/** Calls the URL of a new tag. */
const onTag = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db }) => ({ path: `/api/tags/${(await createTag({ db })).id}`, json }),
});

/** Calls the administrators' URL of one of the owner's addresses. */
const onAnyAddress = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const { id } = await createAddress({ db, userId: people.owner.id });
    return { path: `/api/addresses/${id}`, json };
  },
});

/** Calls the administrators' URL of the owner's cart. */
const onAnyCart = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const { id: productId } = await createProduct({ db });
    const { cart } = await createCart({ db, userId: people.owner.id, items: [{ productId }] });
    return { path: `/api/carts/${cart.id}`, json };
  },
});

/** Calls the URL of an inactive shipping method, which nobody can choose. */
const onShippingMethod = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db }) => {
    const { id } = await createShippingMethod({ db, isActive: false });
    return { path: `/api/shipping_methods/${id}`, json };
  },
});

/** Calls the administrators' URL of one of the owner's orders. */
const onAnyOrder = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order } = await createOrder({ db, user: people.owner, items: [{ product }] });
    return { path: `/api/admin_orders/${order.id}`, json };
  },
});

/** Calls the URL of a step for one of the owner's orders, which is in the state before that step. */
const onOrderStep = (
  step: string,
  status: "paid" | "shipped",
  json?: unknown,
): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order } = await createOrder({ db, user: people.owner, items: [{ product }], status });
    return { path: `/api/admin_orders/${order.id}/${step}`, json };
  },
});

/** Calls the URL of a parcel of one of the owner's orders. */
const onShipment = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order } = await createOrder({ db, user: people.owner, items: [{ product }] });
    const [parcel] = await db
      .insert(shipments)
      .values({ orderId: order.id, carrier: "UPS" })
      .returning({ id: shipments.id });
    return { path: `/api/shipments/${parcel?.id}`, json };
  },
});

/** The body of a manual invoice for the owner. */
const newInvoice: Pick<Rule, "on"> = {
  on: async ({ people }) => ({
    json: { totalAmount: 12.5, user: people.owner.id, pdfPath: "a.pdf", paymentId: "pi_1" },
  }),
};

/** Calls the administrators' URL of one of the owner's invoices. */
const onAnyInvoice = (collection: string, json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { invoice } = await createOrder({ db, user: people.owner, items: [{ product }] });
    return { path: `${collection}/${invoice?.id}`, json };
  },
});

/** Calls the administrators' URL of an earlier version of one of the owner's invoices. */
const onInvoiceVersion = (
  pathOf: (invoice: { id: number; version: number }) => string,
): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { invoice } = await createOrder({ db, user: people.owner, items: [{ product }] });
    const { id = 0, version = 0 } = invoice ?? {};
    await db.insert(invoiceVersions).values({ invoiceId: id, version, content: { ...invoice } });
    return { path: pathOf({ id, version }) };
  },
});
/** The body of a new administrator's account. */
const newUser: Pick<Rule, "on"> = {
  on: async ({ people }) => ({
    json: {
      email: `ajoutee-${people.owner.id}@exemple.test`,
      name: "Dupont",
      lastname: "Élise",
      password: "Motdepasse-2026!",
      roles: ["ROLE_ADMIN"],
    },
  }),
};

/** Calls the URL of the owner's account. */
const onUser = (collection: string, json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ people }) => ({ path: `${collection}/${people.owner.id}`, json }),
});

/** Calls the URL of one of the owner's reviews, which is visible to all by default. */
const onReview = (
  path: string,
  { status, json }: { status?: "PENDING"; json?: unknown } = {},
): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const { id: productId } = await createProduct({ db });
    const review = { productId, userId: people.owner.id, ...(status && { status }) };
    const { id } = await createReview({ db, ...review });
    return { path: `${path}/${id}`, json };
  },
});

/** Calls the URL of one of the owner's orders, or of its invoice. */
const onOrder = (
  pathOf: (order: { id: number; invoiceId: number | undefined }) => string,
  json?: unknown,
): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order, invoice } = await createOrder({
      db,
      user: people.owner,
      items: [{ product }],
    });
    return { path: pathOf({ id: order.id, invoiceId: invoice?.id }), json };
  },
});

/** Calls the administrators' URL of one of the owner's withdrawals. */
const onWithdrawal = (json?: unknown): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order, lines } = await createOrder({ db, user: people.owner, items: [{ product }] });
    const { id } = await createWithdrawal({ db, order, lines });
    return { path: `/api/withdrawals/${id}`, json };
  },
});

/** Calls the URL of one of the owner's credit notes. */
const onCreditNote = (pathOf: (id: number) => string): Pick<Rule, "on"> => ({
  on: async ({ db, people }) => {
    const product = await createProduct({ db });
    const { order } = await createOrder({ db, user: people.owner, items: [{ product }] });
    return { path: pathOf((await createCreditNote({ db, orderId: order.id })).id) };
  },
});

const RULES: Record<string, Rule> = {
  // The API itself
  "GET /api": everyone(200),
  "GET /api/docs": everyone(200),
  "GET /api/docs/viewer.js": everyone(200),
  "GET /api/docs.json": everyone(200),
  "GET /api/docs.jsonld": everyone(200),
  "GET /api/contexts/{name}": { ...everyone(200), ...fixed({ path: "/api/contexts/Product" }) },

  // Catalogue and home
  "GET /api/product_facets": everyone(200),
  "GET /api/products": everyone(200),
  "GET /api/products/{id}": { ...everyone(200), ...fixed({ path: "/api/products/1" }) },
  "GET /api/categories": everyone(200),
  "GET /api/categories/{id}": { ...everyone(200), ...fixed({ path: "/api/categories/1" }) },
  "GET /api/suggestions": { ...everyone(200), ...fixed({ path: "/api/suggestions?q=tasse" }) },
  "GET /api/tags": everyone(200),
  "GET /api/tags/{id}": { ...everyone(200), ...fixed({ path: "/api/tags/1" }) },
  "GET /api/home": everyone(200),
  "GET /api/products/{id}/related": {
    ...everyone(200),
    ...fixed({ path: "/api/products/1/related" }),
  },
  "POST /api/stock_alerts": {
    ...everyone(202),
    on: async ({ db }) => {
      const { id: productId } = await createProduct({ db, stock: 0 });
      return { json: { productId, email: "personne@exemple.test" } };
    },
  },
  "POST /api/stock_alerts/confirm": {
    ...everyone(200),
    ...fixed({ json: { token: UNKNOWN_TOKEN } }),
  },
  "POST /api/stock_alerts/cancel": {
    ...everyone(200),
    ...fixed({ json: { token: UNKNOWN_TOKEN } }),
  },

  // Contact and mails
  "POST /api/contact": {
    ...everyone(201),
    ...fixed({ json: { nom: "Léa", email: "lea@exemple.test", message: "Bonjour à vous." } }),
  },
  "GET /api/health": everyone(200),
  "GET /api/ready": everyone(200),
  "GET /api/cron/outbox": { ...nobody, scheduler: 200 },
  "POST /api/cron/outbox": { ...nobody, scheduler: 200 },

  // Registration, login, forgotten password
  "POST /api/register": {
    ...everyone(201),
    on: async ({ people }) => ({
      json: {
        nom: "Dupont",
        lastname: "Élise",
        email: `nouvelle-${people.owner.id}@exemple.test`,
        password: "Motdepasse-2026!",
      },
    }),
  },
  "GET /api/verify-email/{token}": {
    ...everyone(200),
    ...fixed({ path: `/api/verify-email/${UNKNOWN_TOKEN}` }),
  },
  "POST /api/login_check": {
    ...everyone(401),
    ...fixed({ json: { username: "personne@exemple.test", password: "Faux-2026!" } }),
  },
  "POST /api/logout": loggedIn(204),
  "POST /api/reset-password": {
    ...everyone(200),
    ...fixed({ json: { email: "personne@exemple.test" } }),
  },
  "GET /api/reset-password/verify/{token}": {
    ...everyone(200),
    ...fixed({ path: `/api/reset-password/verify/${UNKNOWN_TOKEN}` }),
  },
  "POST /api/reset-password/confirm": {
    ...everyone(422),
    ...fixed({ json: { token: UNKNOWN_TOKEN, password: "Nouveau-2026!" } }),
  },
  "POST /api/2fa/activate": { ...loggedIn(200), needsRecentLogin: true },
  "POST /api/2fa/verify": {
    ...loggedIn(200),
    ...fixed({ json: { code: "000000" } }),
    needsRecentLogin: true,
    takesPendingToken: true,
  },
  "POST /api/2fa/deactivate": { ...loggedIn(200), needsRecentLogin: true },
  "POST /api/reauthenticate": {
    ...loggedIn(200),
    ...fixed({ json: { password: DEFAULT_PASSWORD } }),
  },

  // The catalogue, for administrators
  "POST /api/products": {
    ...adminOnly(201),
    ...fixed({ json: { ...NEW_PRODUCT, productType: "physical" } }),
  },
  "PUT /api/products/{id}": {
    ...adminOnly(200),
    ...onProduct("/api/products", { json: { name: "Autre nom" } }),
  },
  "DELETE /api/products/{id}": { ...adminOnly(204), ...onProduct("/api/products") },
  "GET /api/products/{id}/stock_movements": {
    ...adminOnly(200),
    ...fixed({ path: "/api/products/1/stock_movements" }),
  },
  "POST /api/products/{id}/stock_movements": {
    ...adminOnly(201),
    ...fixed({
      path: "/api/products/1/stock_movements",
      json: { quantity: 3, reason: "Inventaire" },
    }),
  },
  "POST /api/stock_imports": { ...adminOnly(201), ...fixed({ json: { csv: "ID;Stock\n1;5" } }) },
  "GET /api/physical_products": adminOnly(200),
  "POST /api/physical_products": { ...adminOnly(201), ...fixed({ json: NEW_PRODUCT }) },
  "GET /api/physical_products/{id}": { ...adminOnly(200), ...onProduct("/api/physical_products") },
  "PUT /api/physical_products/{id}": {
    ...adminOnly(200),
    ...onProduct("/api/physical_products", { json: { name: "Autre nom" } }),
  },
  "DELETE /api/physical_products/{id}": {
    ...adminOnly(204),
    ...onProduct("/api/physical_products"),
  },
  "GET /api/digital_products": adminOnly(200),
  "POST /api/digital_products": {
    ...adminOnly(201),
    ...fixed({ json: { ...NEW_PRODUCT, filesize: 1200 } }),
  },
  "GET /api/digital_products/{id}": {
    ...adminOnly(200),
    ...onProduct("/api/digital_products", { type: "digital" }),
  },
  "PUT /api/digital_products/{id}": {
    ...adminOnly(200),
    ...onProduct("/api/digital_products", { type: "digital", json: { name: "Autre nom" } }),
  },
  "DELETE /api/digital_products/{id}": {
    ...adminOnly(204),
    ...onProduct("/api/digital_products", { type: "digital" }),
  },
  "POST /api/categories": { ...adminOnly(201), ...fixed({ json: { name: "Jardin" } }) },
  "PUT /api/categories/{id}": {
    ...adminOnly(200),
    ...onCategory("/api/categories", { json: { name: "Jardin" } }),
  },
  "DELETE /api/categories/{id}": { ...adminOnly(204), ...onCategory("/api/categories") },
  "DELETE /api/admin/categories/{id}/delete-with-products": {
    ...adminOnly(204),
    ...onCategory("/api/admin/categories", { suffix: "/delete-with-products" }),
  },
  "POST /api/tags": { ...adminOnly(201), ...fixed({ json: { name: "Soldes" } }) },
  "PUT /api/tags/{id}": { ...adminOnly(200), ...onTag({ name: "Soldes" }) },
  "DELETE /api/tags/{id}": { ...adminOnly(204), ...onTag() },

  // Pictures are sent as forms, so JSON gets 415. Uploads by administrators have tests of their own.
  "POST /api/upload": { ...adminOnly(415), ...fixed({ json: {} }) },

  // Users, for administrators
  "GET /api/users": adminOnly(200),
  "GET /api/users/{id}": { ...adminOnly(200), ...onUser("/api/users") },
  "DELETE /api/users/{id}": {
    ...adminOnly(204),
    ...onUser("/api/users"),
    needsRecentLogin: true,
  },
  "GET /api/users-without-cart": adminOnly(200),
  "POST /api/users": { ...adminOnly(201), ...newUser, needsRecentLogin: true },
  "PUT /api/users/{id}": {
    ...adminOnly(200),
    ...onUser("/api/users", { name: "Petit", roles: ["ROLE_ADMIN"] }),
    needsRecentLogin: true,
  },
  "POST /api/admin/users": { ...adminOnly(201), ...newUser, needsRecentLogin: true },
  "PUT /api/admin/users/{id}": {
    ...adminOnly(200),
    ...onUser("/api/admin/users", { name: "Petit", roles: ["ROLE_ADMIN"] }),
    needsRecentLogin: true,
  },
  "DELETE /api/admin/users/{id}/2fa": {
    ...adminOnly(204),
    on: async ({ people }) => ({ path: `/api/admin/users/${people.owner.id}/2fa` }),
    needsRecentLogin: true,
  },
  "GET /api/admin/dashboard": adminOnly(200),
  "POST /api/admin/mails_retry": adminOnly(200),
  "DELETE /api/admin/mails/{id}": {
    ...adminOnly(204),
    on: async ({ db }) => {
      const values = { template: "contact", data: {}, recipient: "a@exemple.test" };
      const [mail] = await db
        .insert(mailOutbox)
        .values({ ...values, status: "failed" })
        .returning({ id: mailOutbox.id });
      return { path: `/api/admin/mails/${mail?.id}` };
    },
  },
  "GET /api/admin/seller": adminOnly(200),
  // All tests share the one seller, so the body is invalid. Valid changes have tests of their own.
  "PUT /api/admin/seller": { ...adminOnly(422), ...fixed({ json: { siren: "1" } }) },
  "GET /api/admin/history/{entity}/{id}": {
    ...adminOnly(200),
    ...fixed({ path: "/api/admin/history/Product/1" }),
  },

  // All users' addresses, carts, orders, invoices and reviews, for administrators
  "GET /api/addresses": adminOnly(200),
  "POST /api/addresses": {
    ...adminOnly(201),
    on: async ({ people }) => ({ json: { ...ADDRESS, user: people.owner.id } }),
  },
  "GET /api/addresses/{id}": { ...adminOnly(200), ...onAnyAddress() },
  "PUT /api/addresses/{id}": { ...adminOnly(200), ...onAnyAddress(ADDRESS) },
  "DELETE /api/addresses/{id}": { ...adminOnly(204), ...onAnyAddress() },
  "GET /api/carts": adminOnly(200),
  "POST /api/carts": {
    ...adminOnly(201),
    on: async ({ people }) => ({ json: { user: people.owner.id, items: [] } }),
  },
  "GET /api/carts/{id}": { ...adminOnly(200), ...onAnyCart() },
  "PUT /api/carts/{id}": { ...adminOnly(200), ...onAnyCart({ items: [] }) },
  "DELETE /api/carts/{id}": { ...adminOnly(204), ...onAnyCart() },
  "GET /api/orders": adminOnly(200),
  "GET /api/shipping_methods": adminOnly(200),
  // Inactive: an active method would change the totals of other tests.
  "POST /api/shipping_methods": {
    ...adminOnly(201),
    ...fixed({ json: { name: "Colis", price: 4.9, active: false } }),
  },
  "GET /api/shipping_methods/{id}": { ...adminOnly(200), ...onShippingMethod() },
  "PUT /api/shipping_methods/{id}": { ...adminOnly(200), ...onShippingMethod({ price: 5.9 }) },
  "DELETE /api/shipping_methods/{id}": { ...adminOnly(204), ...onShippingMethod() },
  "GET /api/admin_orders": adminOnly(200),
  "POST /api/admin_orders": {
    ...adminOnly(201),
    on: async ({ db, people }) => ({
      json: {
        user: String(people.owner.id),
        orderItems: [{ product: String((await createProduct({ db })).id), quantity: 1 }],
        total: 19.9,
        shippingStreet: ADDRESS.street,
        shippingCity: ADDRESS.city,
        shippingPostalCode: ADDRESS.postalCode,
        billingStreet: ADDRESS.street,
        billingCity: ADDRESS.city,
        billingPostalCode: ADDRESS.postalCode,
        invoice_pdf_path: "/api/invoices/1/download",
      },
    }),
  },
  "GET /api/admin_orders/{id}": { ...adminOnly(200), ...onAnyOrder() },
  "PUT /api/admin_orders/{id}": { ...adminOnly(200), ...onAnyOrder({ total: 5 }) },
  "DELETE /api/admin_orders/{id}": { ...adminOnly(204), ...onAnyOrder() },
  "POST /api/packing_slips": {
    ...adminOnly(200),
    on: async ({ db, people }) => {
      const product = await createProduct({ db });
      const { order } = await createOrder({ db, user: people.owner, items: [{ product }] });
      return { json: { orders: [order.id] } };
    },
  },
  "POST /api/admin_orders/{id}/prepare": { ...adminOnly(200), ...onOrderStep("prepare", "paid") },
  "POST /api/admin_orders/{id}/shipments": {
    ...adminOnly(201),
    ...onOrderStep("shipments", "paid", { carrier: "UPS" }),
  },
  "POST /api/admin_orders/{id}/deliver": {
    ...adminOnly(200),
    ...onOrderStep("deliver", "shipped"),
  },
  "GET /api/shipments/{id}": { ...adminOnly(200), ...onShipment() },
  "PUT /api/shipments/{id}": { ...adminOnly(200), ...onShipment({ carrier: "DHL" }) },
  // 400: the `Idempotency-Key` header is missing. Valid refunds have tests of their own.
  "POST /api/admin_orders/{id}/refunds": {
    ...adminOnly(400),
    ...onOrder(({ id }) => `/api/admin_orders/${id}/refunds`, { amount: 1, reason: "Retard" }),
  },
  "GET /api/admin_orders/{id}/refunds": {
    ...adminOnly(200),
    ...onOrder(({ id }) => `/api/admin_orders/${id}/refunds`),
  },
  "GET /api/withdrawals": adminOnly(200),
  "GET /api/withdrawals/{id}": { ...adminOnly(200), ...onWithdrawal() },
  "PUT /api/withdrawals/{id}": {
    ...adminOnly(200),
    ...onWithdrawal({ state: "refused", reason: "Objet abîmé." }),
  },
  "GET /api/credit_notes": adminOnly(200),
  "GET /api/credit_notes/{id}": {
    ...adminOnly(200),
    ...onCreditNote((id) => `/api/credit_notes/${id}`),
  },
  "GET /api/admin/invoices": adminOnly(200),
  "GET /api/admin/invoices/{id}": { ...adminOnly(200), ...onAnyInvoice("/api/admin/invoices") },
  "POST /api/admin/invoices": { ...adminOnly(201), ...newInvoice },
  "PUT /api/admin/invoices/{id}": {
    ...adminOnly(200),
    ...onAnyInvoice("/api/admin/invoices", { totalAmount: 5 }),
  },
  "GET /api/admin/invoices/{id}/versions": {
    ...adminOnly(200),
    ...onInvoiceVersion(({ id }) => `/api/admin/invoices/${id}/versions`),
  },
  "GET /api/admin/invoices/{id}/versions/{version}/download": {
    ...adminOnly(200),
    ...onInvoiceVersion(
      ({ id, version }) => `/api/admin/invoices/${id}/versions/${version}/download`,
    ),
  },
  "DELETE /api/admin/invoices/{id}": { ...adminOnly(204), ...onAnyInvoice("/api/admin/invoices") },
  "POST /api/admin/invoices_create": { ...adminOnly(201), ...newInvoice },
  "PUT /api/admin/invoices_update/{id}": {
    ...adminOnly(200),
    ...onAnyInvoice("/api/admin/invoices_update", { totalAmount: 5 }),
  },
  "DELETE /api/admin/invoices_delete/{id}": {
    ...adminOnly(204),
    ...onAnyInvoice("/api/admin/invoices_delete"),
  },
  "POST /api/reviews": {
    ...adminOnly(201),
    on: async ({ db, people }) => ({
      json: {
        product: (await createProduct({ db })).id,
        user: people.owner.id,
        rating: 4,
        content: "Bien.",
      },
    }),
  },
  "PUT /api/reviews/{id}": {
    ...adminOnly(200),
    ...onReview("/api/reviews", { json: { status: "REJECTED" } }),
  },

  // The user's own account and addresses
  "GET /api/account": loggedIn(200),
  "PUT /api/account": {
    ...loggedIn(200),
    ...fixed({ json: { nom: "Petit", password: "Nouveau-2026!" } }),
    needsRecentLogin: true,
  },
  "DELETE /api/account/delete/{mode}": {
    ...loggedIn(200),
    ...fixed({ path: "/api/account/delete/soft" }),
    needsRecentLogin: true,
  },
  "GET /api/addresses_front": loggedIn(200),
  "POST /api/addresses_front": { ...loggedIn(201), ...fixed({ json: ADDRESS }) },
  "GET /api/addresses_front/{id}": { ...ownerOnly(200), ...onAddress("") },
  "PUT /api/addresses_front/{id}": { ...ownerOnly(200), ...onAddress("", { json: ADDRESS }) },
  "DELETE /api/addresses_front/{id}": { ...ownerOnly(204), ...onAddress("") },
  "PUT /api/addresses_front/{id}/default": { ...ownerOnly(200), ...onAddress("/default") },
  "PUT /api/addresses_front/{id}/default-billing": {
    ...ownerOnly(200),
    ...onAddress("/default-billing", { type: "billing" }),
  },

  // The cart
  "GET /api/cart": loggedIn(200),
  "DELETE /api/cart": loggedIn(204),
  "POST /api/cart/add": {
    ...loggedIn(201),
    on: async ({ db }) => ({ json: { productId: (await createProduct({ db })).id, quantity: 1 } }),
  },
  "PUT /api/cart/item/{id}": { ...ownerOnly(200), ...onCartItem({ quantity: 2 }) },
  "DELETE /api/cart/item/{id}": { ...ownerOnly(204), ...onCartItem() },

  // The checkout: the owner pays for their own cart, with their own address
  "POST /api/cart/payment-intent": {
    anonymous: 401,
    other: 422,
    owner: 200,
    admin: 422,
    on: async ({ db, people: { owner } }) => {
      const product = await createProduct({ db });
      await createCart({ db, userId: owner.id, items: [{ productId: product.id }] });
      const { id } = await createAddress({ db, userId: owner.id });
      return { json: { shippingAddressId: id, billingAddressId: id } };
    },
  },
  "POST /api/cart/confirm-order": {
    ...ownerOnly(200),
    on: async ({ db, people: { owner } }) => {
      const product = await createProduct({ db });
      const { order } = await createOrder({ db, user: owner, items: [{ product }] });
      const address = { street: order.shippingStreet, city: "Lyon", postalCode: "69003" };
      await db.insert(checkouts).values({
        userId: owner.id,
        status: "completed",
        fingerprint: "",
        lines: [],
        totalCents: order.totalCents,
        shippingAddress: address,
        billingAddress: address,
        buyerEmail: owner.email,
        buyerFirstName: owner.firstName,
        buyerLastName: owner.lastName,
        paymentIntentId: order.paymentIntentId,
        orderId: order.id,
      });
      return { json: { paymentIntentId: order.paymentIntentId } };
    },
  },
  "GET /api/checkout/configuration": loggedIn(200),
  "POST /api/stripe/webhook": { ...everyone(400), ...fixed({ json: {} }) },
  "GET /api/cron/checkouts": { ...nobody, scheduler: 200 },
  "POST /api/cron/checkouts": { ...nobody, scheduler: 200 },
  "GET /api/cron/pictures": { ...nobody, scheduler: 200 },
  "POST /api/cron/pictures": { ...nobody, scheduler: 200 },
  "GET /api/cron/products": { ...nobody, scheduler: 200 },
  "POST /api/cron/products": { ...nobody, scheduler: 200 },
  "GET /api/cron/payments": { ...nobody, scheduler: 200, ...onPayments },
  "POST /api/cron/payments": { ...nobody, scheduler: 200, ...onPayments },

  // Orders and invoices of customers; administrators read them all
  "GET /api/my-orders": loggedIn(200),
  "GET /api/orders_details/{id}": {
    ...ownerOnly(200),
    admin: 200,
    ...onOrder(({ id }) => `/api/orders_details/${id}`),
  },
  "GET /api/orders/{id}": {
    ...ownerOnly(200),
    admin: 200,
    ...onOrder(({ id }) => `/api/orders/${id}`),
  },
  "GET /api/orders/{id}/withdrawal": {
    ...ownerOnly(200),
    admin: 200,
    ...onOrder(({ id }) => `/api/orders/${id}/withdrawal`),
  },
  "POST /api/orders/{id}/withdrawal": {
    ...ownerOnly(201),
    ...onOrder(({ id }) => `/api/orders/${id}/withdrawal`, { items: "" }),
  },
  "GET /api/invoices/{id}/download": {
    ...ownerOnly(200),
    admin: 200,
    ...onOrder(({ invoiceId }) => `/api/invoices/${invoiceId}/download`),
  },

  "GET /api/credit-notes/{id}/download": {
    ...ownerOnly(200),
    admin: 200,
    ...onCreditNote((id) => `/api/credit-notes/${id}/download`),
  },

  // Reviews
  "GET /api/reviews": { anonymous: 401, other: 403, owner: 403, admin: 200 },
  "GET /api/reviews/{id}": {
    anonymous: 404,
    other: 404,
    owner: 200,
    admin: 200,
    ...onReview("/api/reviews", { status: "PENDING" }),
  },
  "DELETE /api/reviews/{id}": {
    anonymous: 401,
    other: 403,
    owner: 204,
    admin: 204,
    ...onReview("/api/reviews"),
  },
  "POST /api/reviews_create": {
    anonymous: 401,
    other: 403,
    owner: 201,
    admin: 403,
    on: async ({ db, people }) => {
      const product = await createProduct({ db });
      await createOrder({ db, user: people.owner, items: [{ product }] });
      return { json: { content: "Un avis de dix lettres.", rating: 4, product: product.id } };
    },
  },
  "PUT /api/reviews_edit/{id}": {
    anonymous: 401,
    other: 403,
    owner: 200,
    admin: 403,
    ...onReview("/api/reviews_edit", { json: { rating: 2 } }),
  },
  "GET /api/check-purchase/{id}": {
    ...loggedIn(200),
    ...fixed({ path: "/api/check-purchase/1" }),
  },
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

for (const [call, rule] of Object.entries(RULES)) {
  const [verb = "", template = ""] = call.split(" ");
  test(call, async ({ api, database: db, shopEnv }) => {
    const tokens: [
      who: string,
      token: (people: People) => Promise<string | null>,
      status: number,
    ][] = CALLERS.map((caller) => [
      caller,
      async (people) =>
        caller === "anonymous" ? null : issueToken({ user: people[caller], type: "access" }),
      rule[caller],
    ]);
    if (rule.scheduler !== undefined)
      tokens.push(["scheduler", async () => String(shopEnv.CRON_SECRET), rule.scheduler]);
    if (rule.anonymous === 401 && rule.owner !== 401) {
      tokens.push(
        ["an invalid token", async () => "abc.def.ghi", 401],
        [
          "a revoked token",
          async ({ owner }) =>
            issueToken({
              user: { ...owner, sessionVersion: owner.sessionVersion - 1 },
              type: "access",
            }),
          401,
        ],
      );
      if (rule.needsRecentLogin)
        tokens.push(["a login of eleven minutes ago", ({ admin }) => staleTokenOf(admin), 403]);
      if (!rule.takesPendingToken)
        tokens.push([
          "a token whose code is pending",
          async ({ owner }) => issueToken({ user: owner, type: "pending-2fa" }),
          401,
        ]);
    }
    for (const [who, tokenOf, status] of tokens) {
      const people = await createPeople(db);
      const { path: url = template, json } = (await rule.on?.({ db, people })) ?? {};
      const token = await tokenOf(people);
      const isRefusedWrite = status >= 400 && verb !== "GET";
      const before = isRefusedWrite ? await digests(db) : null;
      const answer = await api.request(verb, url, {
        ...(token === null ? {} : { token }),
        ...(json === undefined ? {} : { json }),
      });
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
