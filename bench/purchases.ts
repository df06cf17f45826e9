import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { type BenchDatabase, openDatabase, queryRows } from "@/bench/database";
import { measureInvoices, sentenceOf } from "@/bench/invoices";
import { cpuMsOf, cpuMsOfTree } from "@/bench/processes";
import {
  type Aim,
  aimOf,
  formatFigure,
  printAims,
  printTable,
  quantilesOf,
  saveResults,
} from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, type Server, startShop } from "@/bench/shop";
import { measureCounted } from "@/bench/stock";
import { withConnection } from "@/db/connection";
import { createAddress, createUser } from "@/db/factories/people";
import { openTcpProxy } from "@/e2e/tcp-proxy";
import { issueToken } from "@/lib/auth/token";
import { forgetEnv } from "@/lib/env";
import { HANDLED_EVENTS, sandboxWebhookSecret } from "@/lib/payment-provider";
import type { Summary } from "@/sandbox/cards/summary";
import { freePort } from "@/sandbox/ports";
import { startNode } from "@/scripts/child";
import { initialEnv, ROOT } from "@/scripts/command";
import type { Services } from "@/scripts/services";

// npm run bench -- purchases – purchases per second by concurrent customers: add to the cart, create
// the payment intent, pay at the card sandbox, confirm the order. Shop, PostgreSQL, sandbox and
// customers share this machine's CPUs, so each figure is compared with as many bare transactions that
// insert an order with its lines, on the same database, over as many connections. Mails with invoices
// are written at the same time.

/** Customers at a time. */
export const CUSTOMERS = [1, 16, 64] as const;
const LINES = 2;
const SECRET = "a-secret-of-the-benchmark-for-sessions";
/** Of the catalogue. */
export const PRODUCTS = 1_000;
/** Milliseconds for all but one purchase in a hundred, by customers. */
const P99_LIMITS_MS: Record<number, number> = { 16: 500, 64: 1_000 };
/** How much longer other requests may take while invoices are drawn. */
const INVOICES_RATIO_LIMIT = 1.5;
const COUNTED_CUSTOMERS = 16;
const COUNTED_RATIO_LIMIT = 0.85;
/** Milliseconds of CPU time per purchase. */
const CPU_HEADINGS = ["shop ms", "db ms", "cards ms", "customers ms"];
/** Seconds of purchases before the first measurement: V8 optimises the shop's code for some twenty. */
const WARM_UP = 20;

interface Customer {
  id: number;
  token: string;
  addressId: number;
}

interface Row {
  customers: number;
  purchases: number;
  perSecond: number;
  p50: number;
  p99: number;
  barePerSecond: number;
  ratio: number;
  /** CPU milliseconds per purchase; null where the system does not report it. */
  cpuMs: Record<Component, number | null>;
}

/** What shares the CPUs. */
type Component = "shop" | "database" | "sandbox" | "customers";

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

/** Posts over keep-alive connections; rejects where the response is not 2xx. */
function postExpectingSuccess<T>({
  url,
  token,
  json,
  form,
}: {
  url: string;
  token: string;
  json?: unknown;
  form?: Record<string, string>;
}): Promise<T> {
  const body = form ? new URLSearchParams(form).toString() : JSON.stringify(json);
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          Authorization: `Bearer ${token}`,
          "Content-Type": type,
          "Content-Length": Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => {
          const { statusCode = 0 } = response;
          if (statusCode < 300) resolve(JSON.parse(text) as T);
          else reject(new Error(`${url}: ${statusCode} ${text}`));
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

export function createCustomers(url: string): Promise<Customer[]> {
  return withConnection({ url, max: 4 }, async (sql) => {
    const db = drizzle({ client: sql });
    const customers: Customer[] = [];
    for (let i = 0; i < Math.max(...CUSTOMERS); i++) {
      const email = `bench-${Date.now()}-${i}@exemple.test`;
      const user = await createUser({ db, email, passwordHash: "none" });
      const { id: addressId } = await createAddress({ db, userId: user.id });
      const token = await issueToken({ user, type: "access" });
      customers.push({ id: user.id, token, addressId });
    }
    return customers;
  });
}

/** The card sandbox in a process of its own, so that its CPU time is not this process's. */
export async function startSandbox({
  services,
  shop,
  folder,
}: {
  services: Services;
  shop: { port: number };
  folder: string;
}): Promise<{ url: string; pid: number }> {
  const port = await freePort();
  const child = await services.start(async () =>
    startNode({
      args: [
        "--import",
        "tsx",
        path.join(ROOT, "sandbox/cards/program.ts"),
        "--port",
        String(port),
        "--data",
        path.join(folder, "cards.jsonl"),
        "--webhook",
        `http://127.0.0.1:${shop.port}/api/stripe/webhook`,
        ...HANDLED_EVENTS.flatMap((type) => ["--event", type]),
      ],
      env: { ...initialEnv, STRIPE_WEBHOOK_SECRET: sandboxWebhookSecret(SECRET) },
      stdout: "ignore",
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  for (let end = Date.now() + 20_000; Date.now() < end; ) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { url, pid: child.pid };
    await delay(50);
  }
  throw new Error("The card sandbox does not answer.");
}

/** One purchase, from the empty cart to the order. */
export async function purchase({
  shop,
  cardsUrl,
  customer: { token, addressId },
  productIds,
}: {
  shop: Server;
  cardsUrl: string;
  customer: Customer;
  productIds: readonly number[];
}): Promise<void> {
  for (const productId of productIds)
    await postExpectingSuccess({
      url: `${shop.origin}/api/cart/add`,
      token,
      json: { productId, quantity: 1 },
    });
  const addresses = { shippingAddressId: addressId, billingAddressId: addressId };
  const { clientSecret } = await postExpectingSuccess<{ clientSecret: string }>({
    url: `${shop.origin}/api/cart/payment-intent`,
    token,
    json: addresses,
  });
  const [paymentIntentId = ""] = clientSecret.split("_secret_");
  await postExpectingSuccess({
    url: `${cardsUrl}/v1/payment_intents/${paymentIntentId}/confirm`,
    token: "pk_test_sandbox",
    form: { client_secret: clientSecret, payment_method: "pm_card_visa" },
  });
  await postExpectingSuccess({
    url: `${shop.origin}/api/cart/confirm-order`,
    token,
    json: { ...addresses, paymentIntentId },
  });
}

/** Waits until the shop has sent the mails of earlier purchases. */
export async function waitForMails({ url }: { url: string }): Promise<void> {
  const pending = async () => {
    const [row] = await queryRows<{ count: number }>({
      url,
      sql: "select count(*)::int as count from mail_outbox where status = 'pending'",
    });
    return row?.count ?? 0;
  };
  while ((await pending()) > 0) await delay(100);
}

/** The same number of orders by bare transactions. Returns transactions per second. */
async function measureBareTransactions({
  url,
  connections,
  orders,
}: {
  url: string;
  connections: number;
  orders: number;
}): Promise<number> {
  const clients = Array.from({ length: connections }, () => postgres(url, { max: 1 }));
  await Promise.all(clients.map((client) => client`select 1`));
  let remaining = orders;
  const insert = async (client: Sql) => {
    for (;;) {
      const number = remaining--;
      if (number <= 0) return;
      await client.begin(async (tx) => {
        const [order] = await tx<{ id: number }[]>`
          insert into orders (number, buyer_email, buyer_first_name, buyer_last_name, total_cents,
            shipping_street, shipping_city, shipping_postal_code, billing_street, billing_city,
            billing_postal_code)
          values (${`BENCH-${process.pid}-${connections}-${number}`}, 'a@exemple.test', 'Camille',
            'Martin', 3980, '12 rue des Lilas', 'Lyon', '69003', '12 rue des Lilas', 'Lyon', '69003')
          returning id`;
        await tx`
          insert into order_lines
            (order_id, product_type, name, unit_price_cents, vat_rate_bp, quantity)
          select ${order?.id ?? 0}::int, 'physical', 'Lampe', 1990, 2000, 1
          from generate_series(1, ${LINES}::int)`;
      });
    }
  };
  const begin = performance.now();
  await Promise.all(clients.map(insert));
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  // These orders have no payments, and would not reconcile.
  await queryRows({ url, sql: "delete from orders where number like 'BENCH-%'" });
  return orders / seconds;
}

/** Lets customers buy again and again. @returns milliseconds of each purchase, and seconds of all */
export async function buyFor<T>({
  seconds,
  customers,
  buy,
}: {
  seconds: number;
  customers: readonly T[];
  buy: (customer: T) => Promise<void>;
}): Promise<{ times: number[]; elapsed: number }> {
  const times: number[] = [];
  const begin = performance.now();
  await Promise.all(
    customers.map(async (customer) => {
      while (performance.now() - begin < seconds * 1000) {
        const start = performance.now();
        await buy(customer);
        times.push(performance.now() - start);
      }
    }),
  );
  return { times, elapsed: (performance.now() - begin) / 1000 };
}

async function measure({
  shop,
  cards,
  database,
  customers,
  buy,
  seconds,
}: {
  shop: Server;
  cards: { url: string; pid: number };
  database: BenchDatabase;
  customers: readonly Customer[];
  /** One purchase. */
  buy: (customer: Customer) => Promise<void>;
  seconds: number;
}): Promise<Row> {
  await waitForMails(database);
  const cpu = (): Record<Component, number | null> => ({
    shop: cpuMsOf(shop.pid),
    database: cpuMsOfTree(database.pid),
    sandbox: cpuMsOf(cards.pid),
    customers: cpuMsOf(process.pid),
  });
  const before = cpu();
  const { times, elapsed } = await buyFor({ seconds, customers, buy });
  const after = cpu();
  const each = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / times.length;
  const perSecond = times.length / elapsed;
  const barePerSecond = await measureBareTransactions({
    url: database.url,
    connections: customers.length,
    orders: times.length,
  });
  return {
    customers: customers.length,
    purchases: times.length,
    perSecond,
    ...quantilesOf(times),
    barePerSecond,
    ratio: perSecond / barePerSecond,
    cpuMs: {
      shop: each(before.shop, after.shop),
      database: each(before.database, after.database),
      sandbox: each(before.sandbox, after.sandbox),
      customers: each(before.customers, after.customers),
    },
  };
}

/** Checks that the shop's orders and invoices match the sandbox's payments. */
async function reconcile({
  url,
  cardsUrl,
  since,
}: {
  url: string;
  cardsUrl: string;
  since: number;
}): Promise<string> {
  const response = await fetch(`${cardsUrl}/_sandbox/payments`);
  const { totals, payments } = (await response.json()) as Summary;
  const [kept] = await queryRows<{ orders: number; cents: number; invoices: number }>({
    url,
    sql: `select count(*)::int as orders, coalesce(sum(o.total_cents), 0)::int as cents,
        (select count(*)::int from invoices where payment_id = any($2)) as invoices
      from orders o where o.payment_intent_id = any($2) and o.id > $1`,
    values: [since, payments.map(({ id }) => id)],
  });
  const books = `${kept?.orders} orders, ${kept?.invoices} invoices, ${totals.payments} payments; ${kept?.cents} and ${totals.net} cents`;
  const isRight =
    kept?.orders === totals.payments &&
    kept?.orders === kept?.invoices &&
    kept?.cents === totals.net;
  if (!isRight) throw new Error(`The books disagree: ${books}`);
  return books;
}

/** The same database, whose answers arrive later. */
async function withLatency(
  database: BenchDatabase,
  { services, latency }: { services: Services; latency: number },
): Promise<BenchDatabase> {
  if (latency === 0) return database;
  const proxy = await services.start(() => openTcpProxy(database.url));
  proxy.delay(latency);
  return { ...database, url: proxy.url };
}

/** The built shop with its card sandbox, and customers who are logged in. */
export async function openShop({
  services,
  database,
}: {
  services: Services;
  database: BenchDatabase;
}) {
  Object.assign(process.env, { AUTH_SECRET: SECRET, DATABASE_URL: database.url });
  forgetEnv();
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-bench-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));

  // Shop and sandbox need each other's URLs.
  const shopPort = await freePort();
  const cards = await startSandbox({ services, shop: { port: shopPort }, folder });
  const shop = await startShop({
    services,
    databaseUrl: database.url,
    port: shopPort,
    settings: {
      AUTH_SECRET: SECRET,
      STRIPE_API_BASE: cards.url,
      MAIL_DIR: path.join(folder, "mails"),
    },
  });
  // What earlier runs have left.
  await queryRows({ url: database.url, sql: "delete from mail_outbox" });
  const products = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select id from products where price_cents >= 100 order by id",
  });
  const productIds = products.map(({ id }) => id);
  let purchases = 0;
  const buy = (customer: Customer) => {
    purchases += 1;
    const chosen = Array.from(
      { length: LINES },
      (_, i) => productIds[(purchases * 7 + i * 31) % productIds.length] ?? 1,
    );
    return purchase({ shop, cardsUrl: cards.url, customer, productIds: chosen });
  };
  return { shop, cards, buy, customers: await createCustomers(database.url) };
}

/** All customers buy for a while, so that a shop is measured that has been running. */
export const warmUp = <T>(customers: readonly T[], buy: (customer: T) => Promise<void>) =>
  buyFor({ seconds: WARM_UP, customers, buy });

export async function run({ services, seconds, latency }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await withLatency(
    await openDatabase({ services, products: PRODUCTS, isDurable: true }),
    { services, latency },
  );
  const [last] = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select coalesce(max(id), 0)::int as id from orders",
  });
  const { shop, cards, buy, customers } = await openShop({ services, database });
  await warmUp(customers, buy);

  console.log(
    `${seconds} s each, orders of ${LINES} lines, the database's answers ${latency} ms later.\n`,
  );
  const rows: Row[] = [];
  for (const count of CUSTOMERS)
    rows.push(
      await measure({
        shop,
        cards,
        database,
        customers: customers.slice(0, count),
        buy,
        seconds,
      }),
    );
  printTable(
    ["customers", "purchases", "/s", "p50 ms", "p99 ms", "bare /s", "ratio", ...CPU_HEADINGS],
    rows.map((row) => [
      String(row.customers),
      String(row.purchases),
      formatFigure(row.perSecond),
      formatFigure(row.p50),
      formatFigure(row.p99),
      formatFigure(row.barePerSecond),
      row.ratio.toFixed(3),
      formatFigure(row.cpuMs.shop),
      formatFigure(row.cpuMs.database),
      formatFigure(row.cpuMs.sandbox),
      formatFigure(row.cpuMs.customers),
    ]),
  );
  const stock = await measureCounted({
    url: database.url,
    customers: customers.slice(0, COUNTED_CUSTOMERS),
    seconds,
    buy: (customer, chosen) =>
      purchase({ shop, cardsUrl: cards.url, customer, productIds: chosen }),
  });
  console.log(
    `\n${COUNTED_CUSTOMERS} customers: ${formatFigure(stock.counted)} purchases per second of counted products, ${formatFigure(stock.uncounted)} of others.`,
  );
  const books = await reconcile({
    url: database.url,
    cardsUrl: cards.url,
    since: last?.id ?? 0,
  });
  console.log(`\nBooks: ${books}.`);

  await waitForMails(database);
  const [buyer] = customers;
  if (!buyer) throw new Error("There is no customer.");
  const ownInvoices = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select id from invoices where user_id = $1 order by id",
    values: [buyer.id],
  });
  const invoices = await measureInvoices({
    shop,
    token: buyer.token,
    invoiceIds: ownInvoices.map(({ id }) => id),
  });
  console.log(sentenceOf(invoices));
  await shop.stop({ isForced: true });

  const aims: Aim[] = rows.flatMap(({ customers, p99 }) => {
    const atMost = P99_LIMITS_MS[customers];
    const name = `${customers} customers: p99`;
    return atMost === undefined ? [] : [aimOf({ name, value: p99, atMost, unit: "ms", digits: 0 })];
  });
  aims.push(
    aimOf({
      name: "GET /api/products: p99 while invoices are drawn / without",
      value: invoices.busy.ratio,
      atMost: INVOICES_RATIO_LIMIT,
    }),
    aimOf({
      name: "purchases of counted products / of others",
      value: stock.ratio,
      atLeast: COUNTED_RATIO_LIMIT,
      digits: 3,
    }),
  );
  printAims(aims);
  saveResults("purchases", { rows, stock, invoices, books });
  agent.destroy();
  return services.shutDown(aims.every(({ isMet }) => isMet) ? 0 : 1);
}
