import postgres from "postgres";
import { createProduct } from "@/db/factories/catalogue";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "@/e2e/services/pgbouncer";
import { linesOfCsv, newAdmin } from "../admin";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { test as base, expect } from "../fixtures";

// The shop behind a pooler that lends a connection for one transaction. A transaction may leave no
// prepared statements, locks or settings on its connection.

const SIZE = 3;

const test = base.extend<{ bouncer: PgBouncer }>({
  bouncer: async ({ shopEnv }, use) => {
    base.skip(!hasPgBouncer() && !process.env.CI, "pgbouncer is not installed");
    const databaseUrl = String(shopEnv.DATABASE_URL);
    const bouncer = await startPgBouncer({ databaseUrl, size: SIZE });
    await use(bouncer);
    await bouncer.stop();
  },
});

/** The pooler's statistics about the shop's database. */
async function showPoolerStats(bouncer: PgBouncer, question: "STATS" | "POOLS") {
  const client = postgres(bouncer.consoleUrl, { max: 1, fetch_types: false });
  const rows = await client.unsafe<Record<string, string>[]>(`SHOW ${question}`);
  await client.end();
  return rows.find(({ database }) => database !== "pgbouncer") ?? {};
}

/** Named prepared statements on each of the pooler's server connections. */
async function countPreparedStatements(bouncer: PgBouncer): Promise<(number | undefined)[]> {
  const client = postgres(bouncer.url, { max: SIZE, prepare: false, fetch_types: false });
  const begun: (() => void)[] = [];
  // All transactions are open at once, so each has a connection of its own.
  const counts = Array.from({ length: SIZE }, () =>
    client.begin(async (tx) => {
      await new Promise<void>((resolve) => {
        begun.push(resolve);
        if (begun.length === SIZE) for (const start of begun) start();
      });
      const [row] = await tx<{ count: number }[]>`
        select count(*)::int as count from pg_prepared_statements`;
      return row?.count;
    }),
  );
  return Promise.all(counts).finally(() => client.end());
}

test("purchases, searches, lists and exports through PgBouncer, fifty concurrently", async ({
  bouncer,
  shopWith,
  database,
  cards,
}) => {
  const { api } = await shopWith({
    database: "shared",
    env: { DATABASE_URL: bouncer.url, DATABASE_POOL_MAX: "25", DATABASE_PREPARE: "0" },
  });
  const { token } = await newAdmin(database);
  const { id: productId, name } = await createProduct({ db: database, name: "Lampe du bouncer" });
  const buyers = await Promise.all(Array.from({ length: 5 }, () => createBuyer(database)));

  const purchases = buyers.map(async (buyer) => {
    await addToCart({ api, buyer, productId });
    const secret = await payCart({ api, buyer, cards });
    const { status, json } = await confirm({ api, buyer, secret });
    expect([200, 201], JSON.stringify(json)).toContain(status);
    return json.orderId;
  });
  const searches = Array.from({ length: 20 }, async (_, i) => {
    const search = encodeURIComponent(`lampe bouncer ${"x".repeat(i % 3)}`.trim());
    const ask = () => api.get(`/api/products?search=${search}&page=1`, { mayFail: true });
    let answer = await ask();
    // The refusal of a search that waited too long for its turn asks to try again.
    for (let tries = 0; answer.status === 503 && tries < 5; tries += 1) answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    return answer.text;
  });
  const lists = Array.from({ length: 15 }, async (_, i) => {
    const path = ["/api/orders", "/api/users", "/api/admin/invoices"][i % 3];
    const { status, text } = await api.get(`${path}?itemsPerPage=30&page=${1 + i}`, { token });
    expect(status, text).toBe(200);
  });
  const exports = Array.from({ length: 10 }, async (_, i) => {
    const path = i % 2 === 0 ? "/api/admin_orders" : "/api/users";
    const table = await api.get(path, { token, accept: "text/csv" });
    return linesOfCsv(table).length;
  });
  const [orderIds, texts, , counts] = await Promise.all([
    Promise.all(purchases),
    Promise.all(searches),
    Promise.all(lists),
    Promise.all(exports),
  ]);
  expect(new Set(orderIds).size).toBe(buyers.length);
  expect(texts.some((text) => text.includes(name))).toBe(true);
  for (const count of counts) expect(count).toBeGreaterThan(5);

  expect(await countPreparedStatements(bouncer)).toEqual([0, 0, 0]);
  const stats = await showPoolerStats(bouncer, "STATS");
  const pools = await showPoolerStats(bouncer, "POOLS");
  expect(Number(stats.total_xact_count)).toBeGreaterThan(100);
  // Few connections served all requests.
  const servers = ["sv_active", "sv_idle", "sv_used"].map((state) => Number(pools[state]));
  expect(servers.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(SIZE);
  expect(pools.pool_mode).toBe("transaction");
});

test("the log asks for DATABASE_PREPARE=0 behind PgBouncer", async ({ bouncer, shopWith }) => {
  const shop = await shopWith({ database: "shared", env: { DATABASE_URL: bouncer.url } });
  expect((await shop.api.get("/api/ready", { mayFail: true })).status).toBe(503);
  expect((await shop.api.get("/api/categories", { mayFail: true })).status).toBe(500);
  await expect
    .poll(shop.log)
    .toContain(
      "DATABASE_URL mène à un répartiteur de connexions (PgBouncer) : donnez aussi DATABASE_PREPARE=0.",
    );
});
