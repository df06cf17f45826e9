import { once } from "node:events";
import http from "node:http";
import { sql } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { tokenOf } from "../accounts";
import type { ApiAnswer } from "../api-client";
import { confirm, createBuyerWithCart, ordersOf, payCartUnheard } from "../buying";
import { createDatabase } from "../database-broker";
import { openDatabase } from "../database-fixtures";
import { expect, type Shop, test } from "../fixtures";
import { countLockWaits, withTableLock } from "../table-lock";
import { openTcpProxy } from "../tcp-proxy";

// Faults of the database: away at the start, lost in the middle, slow, silent. docs/faults.md says what
// works during each fault, and what does not.

const UNAVAILABLE = "Le service est momentanément indisponible. Réessayez dans un instant.";

/** Few connections, so that a leaked one would be noticed. */
const CONNECTIONS = 3;

const getPage = ({ api }: Shop, path: string) => api.get(path, { mayFail: true });

async function expectPages(shop: Shop, paths: readonly string[]): Promise<void> {
  for (const path of paths) expect((await getPage(shop, path)).status, path).toBe(200);
}

/** Next.js's document, which shows app/site/[locale]/error.tsx as soon as its script has run. */
async function expectErrorPage(shop: Shop, path: string): Promise<void> {
  const { status, headers, text } = await getPage(shop, path);
  expect(status, path).toBe(500);
  expect(headers["cache-control"]).toContain("no-store");
  expect(text).not.toMatch(/ECONN|at async|select |node_modules/);
}

async function expectRefusal(answer: Promise<ApiAnswer<unknown>>): Promise<void> {
  const { status, headers, json } = await answer;
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect(json).toMatchObject({ error: UNAVAILABLE });
}

/**
 * Expects that as many requests as there are connections can wait in the database at once, and succeed
 * afterwards. Requests that time out before all of them have arrived are sent again.
 */
async function expectNoLeakedConnection({ api, database: db }: Shop, token: string): Promise<void> {
  const ask = () => api.get("/api/cart", { token, mayFail: true });
  let isOver = false;
  const askUntilOver = async () => {
    while (!isOver) await ask();
  };
  let asking: Promise<void>[] = [];
  try {
    await withTableLock(db, "cart_items", async () => {
      asking = Array.from({ length: CONNECTIONS }, askUntilOver);
      await expect.poll(() => countLockWaits(db), { intervals: [20] }).toBe(CONNECTIONS);
    });
  } finally {
    isOver = true;
    await Promise.all(asking);
  }
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  for (const { status } of answers) expect(status).toBe(200);
}

test("a shop may start without its database", async ({ shopWith, databaseProxy: proxy }) => {
  await proxy.cut();
  const shop = await shopWith({ database: "shared", env: { DATABASE_URL: proxy.url } });
  await expectPages(shop, ["/contact", "/login", "/robots.txt"]);
  const pages = ["/", "/products", "/product/1", "/products?search=carnet"];
  for (const path of pages) await expectErrorPage(shop, path);
  await expectRefusal(shop.api.get("/api/products", { mayFail: true }));

  await proxy.heal();
  await expectPages(shop, [...pages, "/api/products"]);
});

test("during an outage cached pages are served, stale ones too, but none that a change has invalidated", async ({
  shopWith,
  databaseProxy: proxy,
  database: db,
}) => {
  const shop = await shopWith({
    database: "shared",
    env: { DATABASE_URL: proxy.url, DATABASE_POOL_MAX: String(CONNECTIONS) },
  });
  const admin = await tokenOf(await createAdmin({ db }));
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const product = await createProduct({ db, priceCents: 1250 });
  const other = await createProduct({ db });
  const page = `/product/${product.id}`;
  const paths = ["/", "/products", page, `/api/products/${product.id}`];
  await expectPages(shop, paths);

  await proxy.cut();
  await expectPages(shop, paths);
  await expectErrorPage(shop, `/product/${other.id}`);
  // Nobody is logged out, and nobody is let in.
  await expectRefusal(shop.api.get("/api/cart", { token, mayFail: true }));
  await expectRefusal(shop.api.get("/api/products", { token: admin, mayFail: true }));
  const login = { username: user.email, password: DEFAULT_PASSWORD };
  await expectRefusal(shop.api.post("/api/login_check", { json: login, mayFail: true }));

  // The price changes just before the next outage.
  await proxy.heal();
  const change = await shop.api.put(`/api/physical_products/${product.id}`, {
    token: admin,
    json: { price: 19.9 },
  });
  expect(change.status, change.text).toBe(200);
  await proxy.cut();
  await expectErrorPage(shop, page);
  await expectRefusal(shop.api.get(`/api/products/${product.id}`, { mayFail: true }));
  await proxy.heal();
  expect((await getPage(shop, page)).text).toContain("19,90");

  // Two and a half hours without a database: each request prolongs the stored response. Pages live for
  // five minutes, and Next.js serves an expired page for an hour at most.
  await expectPages(shop, ["/"]);
  await proxy.cut();
  for (let round = 0; round < 3; round++) {
    await shop.advanceClock(50 * 60);
    for (const path of ["/", page]) {
      const stale = await getPage(shop, path);
      expect(stale.status, path).toBe(200);
      expect(stale.headers["x-nextjs-cache"]).toBe("STALE");
      const cacheState = async () => (await getPage(shop, path)).headers["x-nextjs-cache"];
      await expect.poll(cacheState).toBe("HIT");
    }
  }
  expect((await getPage(shop, page)).text).toContain("19,90");

  await proxy.heal();
  await expectPages(shop, [`/product/${other.id}`]);
  await expectNoLeakedConnection(shop, token);
  await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(CONNECTIONS);
});

test("with a slow database requests time out, and no connection leaks", async ({
  shopWith,
  databaseProxy: proxy,
  database: db,
}) => {
  const shop = await shopWith({
    database: "shared",
    env: {
      DATABASE_URL: proxy.url,
      DATABASE_POOL_MAX: String(CONNECTIONS),
      DATABASE_TIMEOUT: "1",
    },
  });
  const token = await tokenOf(await createUser({ db }));
  const product = await createProduct({ db });
  const read = () => shop.api.get(`/api/products/${product.id}`, { mayFail: true });
  const add = () =>
    shop.api.post("/api/cart/add", {
      token,
      json: { productId: product.id, quantity: 1 },
      mayFail: true,
    });

  await test.step("each answer takes long", async () => {
    proxy.delay(80);
    await expectPages(shop, ["/"]);
    expect((await add()).status).toBe(201);
    await proxy.heal();
  });

  await test.step("queries hang, and many visitors come", async () => {
    await withTableLock(db, "products", async () => {
      const visitors = [
        ...Array.from({ length: 20 }, read),
        ...Array.from({ length: 4 }, add),
        expectErrorPage(shop, `/product/${product.id}`),
      ];
      await expectPages(shop, ["/"]);
      for (const answer of await Promise.all(visitors)) if (answer) expect(answer.status).toBe(503);
      // PostgreSQL has cancelled the queries too, although the table is still locked.
      await expect.poll(() => countLockWaits(db)).toBe(0);
    });
    expect((await read()).status).toBe(200);
    await expectNoLeakedConnection(shop, token);
  });

  await test.step("the network swallows everything", async () => {
    await shop.forgetCaches();
    proxy.stall();
    await Promise.all([expectRefusal(read()), expectRefusal(add())]);
    await proxy.heal();
    expect((await add()).status).toBe(201);
    await expectNoLeakedConnection(shop, token);
    await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(CONNECTIONS);
  });
});

test("an export that is cut off is a failed download, not a shorter one", async ({ shopWith }) => {
  test.slow();
  const url = await createDatabase();
  const proxy = await openTcpProxy(url);
  const shop = await shopWith({ env: { DATABASE_URL: proxy.url } });
  const { database: own, close } = openDatabase(url);
  const token = await tokenOf(await createAdmin({ db: own }));
  const LINES = 12_000;
  await own.execute(sql`
    insert into addresses (user_id, street, city, postal_code, type)
    select (select min(id) from users), repeat('rue longue ', 180), 'Arles', '13200', 'shipping'
    from generate_series(1, ${LINES})`);

  const start = async () => {
    const headers = { Authorization: `Bearer ${token}`, Accept: "text/csv" };
    const request = http.get(`${shop.baseURL}/api/addresses`, { headers });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    return response;
  };
  const linesOf = async (response: http.IncomingMessage) => {
    let lines = 0;
    for await (const chunk of response.setEncoding("utf8")) lines += chunk.split("\r\n").length - 1;
    return lines;
  };

  // The client does not read until the database is gone: the export is larger than the buffers between
  // both ends.
  const response = await start();
  expect(response.statusCode).toBe(200);
  await proxy.cut();
  await expect(linesOf(response)).rejects.toThrow("aborted");

  // If nothing was sent yet, the response is an error.
  await expectRefusal(shop.api.get("/api/addresses", { token, accept: "text/csv", mayFail: true }));
  await proxy.heal();
  expect(await linesOf(await start())).toBeGreaterThan(LINES);
  await close();
  await proxy.stop();
});

test("a purchase whose commit is not acknowledged counts once", async ({
  shopWith,
  databaseProxy: proxy,
  database: db,
  cards,
}) => {
  const { api } = await shopWith({ database: "shared", env: { DATABASE_URL: proxy.url } });
  const { buyer, product } = await createBuyerWithCart({ api, db });
  const secret = await payCartUnheard({ api, buyer, cards });
  const sales = async () =>
    (await api.get<{ sales_count: number }>(`/api/products/${product.id}`)).json.sales_count;
  expect(await sales()).toBe(0);
  const lock = sql`pg_advisory_xact_lock(${product.id})`;
  await db.execute(sql`
    create function commit_late() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${sql.raw(String(product.id))}); return null; end $$`);
  try {
    await db.execute(sql`create constraint trigger commit_late after insert on orders
      deferrable initially deferred for each row execute function commit_late()`);
    // The commit waits until its connection is cut.
    const { confirmation } = await db.transaction(async (tx) => {
      await tx.execute(sql`select ${lock}`);
      const confirmation = confirm({ api, buyer, secret });
      const committing = async () => {
        const rows = await db.execute(sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory'`);
        return rows.length;
      };
      await expect.poll(committing, { intervals: [20] }).toBe(1);
      await proxy.cut();
      await proxy.heal();
      return { confirmation };
    });
    // This request created the order, in the attempt whose commit got no answer.
    expect((await confirmation).status).toBe(201);
  } finally {
    await db.execute(sql`drop function commit_late cascade`);
  }
  expect(await ordersOf(db, buyer.id)).toHaveLength(1);
  expect(await sales()).toBe(1);
});
