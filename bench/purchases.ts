import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { type BenchDatabase, openDatabase, queryRows } from "@/bench/database";
import { mediansInTurn, type Part, ratePerSecond } from "@/bench/measure";
import type { BenchOptions } from "@/bench/run";
import { type Server, startServer, startShop } from "@/bench/shop";
import { withConnection } from "@/db/connection";
import { createAddress, createUser } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";
import { forgetEnv } from "@/lib/env";
import { HANDLED_EVENTS, sandboxWebhookSecret } from "@/lib/payment-settings";
import { freePort } from "@/sandbox/ports";
import { initialEnv, ROOT } from "@/scripts/command";
import type { Services } from "@/scripts/services";

// Purchases per second by concurrent customers: add to the cart, create the payment intent, pay at the card
// sandbox, confirm the order, while mails with invoices are written. Compared with bare transactions that insert
// an order with its lines, on the same database (commits wait for the disk), over as many connections. Shop,
// PostgreSQL, sandbox and customers share this machine's CPUs.

const CUSTOMERS = [1, 16, 64] as const;
const PRODUCTS = 1_000;
/** Of an order. */
const LINES = 2;
const SECRET = "a-secret-of-the-benchmark-for-sessions";

interface Customer {
  token: string;
  addressId: number;
}

/** @throws where the response is not 2xx */
async function post<T>(url: string, token: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      ...(!(body instanceof URLSearchParams) && { "Content-Type": "application/json" }),
    },
    body: body instanceof URLSearchParams ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** One purchase, from the empty cart to the order. */
async function buy({
  shop,
  cards,
  customer: { token, addressId },
  productIds,
}: {
  shop: Server;
  cards: Server;
  customer: Customer;
  productIds: readonly number[];
}): Promise<void> {
  for (const productId of productIds)
    await post(`${shop.origin}/api/cart/add`, token, { productId, quantity: 1 });
  const addresses = { shippingAddressId: addressId, billingAddressId: addressId };
  const { clientSecret } = await post<{ clientSecret: string }>(
    `${shop.origin}/api/cart/payment-intent`,
    token,
    addresses,
  );
  const [paymentIntentId = ""] = clientSecret.split("_secret_");
  await post(
    `${cards.origin}/v1/payment_intents/${paymentIntentId}/confirm`,
    "pk_test_sandbox",
    new URLSearchParams({ client_secret: clientSecret, payment_method: "pm_card_visa" }),
  );
  await post(`${shop.origin}/api/cart/confirm-order`, token, { ...addresses, paymentIntentId });
}

/** An order with its lines, in a bare transaction. */
async function insertOrder(client: Sql): Promise<void> {
  await client.begin(async (tx) => {
    const [order] = await tx<{ id: number }[]>`
      insert into orders (number, buyer_email, buyer_first_name, buyer_last_name, total_cents,
        shipping_street, shipping_city, shipping_postal_code, billing_street, billing_city,
        billing_postal_code)
      values ('BENCH-' || gen_random_uuid(), 'a@exemple.test', 'Camille', 'Martin', 3980,
        '12 rue des Lilas', 'Lyon', '69003', '12 rue des Lilas', 'Lyon', '69003')
      returning id`;
    await tx`
      insert into order_lines
        (order_id, product_type, name, unit_price_cents, vat_rate_bp, quantity)
      select ${order?.id ?? 0}::int, 'physical', 'Lampe', 1990, 2000, 1
      from generate_series(1, ${LINES}::int)`;
  });
}

/** Bare transactions per second. */
async function bareRate(options: { url: string; connections: number; seconds: number }) {
  const { url, connections, seconds } = options;
  const clients = Array.from({ length: connections }, () => postgres(url, { max: 1 }));
  await Promise.all(clients.map((client) => client`select 1`));
  const rate = await ratePerSecond({ clients, seconds, act: insertOrder });
  await Promise.all(clients.map((client) => client.end()));
  await queryRows({ url, sql: "delete from orders where number like 'BENCH-%'" });
  return rate;
}

function createCustomers(url: string): Promise<Customer[]> {
  return withConnection({ url }, async (sql) => {
    const db = drizzle({ client: sql });
    const customers: Customer[] = [];
    for (let i = 0; i < Math.max(...CUSTOMERS); i++) {
      const email = `bench-${Date.now()}-${i}@exemple.test`;
      const user = await createUser({ db, email, passwordHash: "none" });
      const { id: addressId } = await createAddress({ db, userId: user.id });
      customers.push({ token: await issueToken({ user, type: "access" }), addressId });
    }
    return customers;
  });
}

/** The shop and the card sandbox, each in a process of its own. */
async function startServers({
  services,
  url,
}: {
  services: Services;
  url: string;
}): Promise<{ shop: Server; cards: Server }> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-bench-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));
  const [port, cardsPort] = [await freePort(), await freePort()];
  const options = {
    port: cardsPort,
    data: path.join(folder, "cards.jsonl"),
    webhook: `http://127.0.0.1:${port}/api/stripe/webhook`,
  };
  const cards = await startServer({
    services,
    port: cardsPort,
    args: [
      "--import",
      "tsx",
      path.join(ROOT, "sandbox/cards/program.ts"),
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...HANDLED_EVENTS.flatMap((type) => ["--event", type]),
    ],
    env: { ...initialEnv, STRIPE_WEBHOOK_SECRET: sandboxWebhookSecret(SECRET) },
  });
  const shop = await startShop({
    services,
    databaseUrl: url,
    port,
    settings: {
      AUTH_SECRET: SECRET,
      STRIPE_API_BASE: cards.origin,
      MAIL_DIR: path.join(folder, "mails"),
    },
  });
  return { shop, cards };
}

async function readNumber(database: BenchDatabase, sql: string): Promise<number> {
  const [row] = await queryRows<{ number: number }>({ url: database.url, sql });
  return row?.number ?? 0;
}

export async function measurePurchases({ services, seconds }: BenchOptions): Promise<Part> {
  const database = await openDatabase({ services, products: PRODUCTS, isDurable: true });
  const { url } = database;
  Object.assign(process.env, { AUTH_SECRET: SECRET, DATABASE_URL: url });
  forgetEnv();
  // What an interrupted run has left.
  await queryRows({ url, sql: "delete from mail_outbox" });
  await queryRows({ url, sql: "delete from orders where number like 'BENCH-%'" });
  const lastOrder = await readNumber(
    database,
    "select coalesce(max(id), 0)::int as number from orders",
  );
  const products = await queryRows<{ id: number }>({
    url,
    sql: "select id from products where price_cents >= 100 and stock is null order by id",
  });
  const { shop, cards } = await startServers({ services, url });
  const customers = await createCustomers(url);

  let purchases = 0;
  const act = async (customer: Customer) => {
    const first = purchases++ * 7;
    const productIds = Array.from(
      { length: LINES },
      (_, line) => products[(first + line * 31) % products.length]?.id ?? 1,
    );
    await buy({ shop, cards, customer, productIds });
  };
  const medians = await mediansInTurn(
    CUSTOMERS.flatMap((count) => [
      async () => {
        const clients = customers.slice(0, count);
        const rate = await ratePerSecond({ clients, seconds, act });
        // What comes next is not to share the CPUs with the mails of these purchases.
        const pending = "select count(*)::int as number from mail_outbox where status = 'pending'";
        while ((await readNumber(database, pending)) > 0) await delay(100);
        return rate;
      },
      () => bareRate({ url, connections: count, seconds }),
    ]),
  );
  const invoiced = await readNumber(
    database,
    `select count(*)::int as number from orders o join invoices i on i.order_id = o.id where o.id > ${lastOrder}`,
  );
  if (invoiced !== purchases) throw new Error(`${purchases} purchases, ${invoiced} invoices`);
  await shop.stop({ isForced: false });
  await cards.stop({ isForced: false });
  await database.stop({ isForced: false });
  return {
    title: "Purchases, beside bare transactions that insert an order",
    rows: CUSTOMERS.map((count, i) => ({
      name: `${count} customer${count > 1 ? "s" : ""}`,
      unit: "/s",
      shop: [medians[2 * i] ?? 0],
      other: [medians[2 * i + 1] ?? 0],
    })),
  };
}
