import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { migrateDatabase } from "@/db/migrate";
import { type ReplicaServer, startReplica } from "@/e2e/services/replica";
import { startPostgres } from "@/sandbox/postgres";
import { logIn } from "../accounts";
import { newAdmin } from "../admin";
import { type Api, createApi } from "../api-client";
import { test as base, expect } from "../fixtures";
import { type ShopProcess, startShop } from "../shop-process";

// A shop with two real servers: a primary, and a replica that follows it by streaming.

interface Followed {
  api: Api;
  shop: ShopProcess;
  primary: Database;
  replica: Database;
  server: ReplicaServer;
  /** How often a product's own row was read from the replica so far. */
  readsAtReplica(): number;
  start(): Promise<Api>;
}

const test = base.extend<object, { followed: Followed }>({
  followed: [
    async ({ shopEnv }, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-replica-"));
      chmodSync(folder, 0o711);
      const dataDir = path.join(folder, "primary");
      const primary = await startPostgres({ dataDir, isDurable: false });
      await migrateDatabase({ url: primary.url });
      const server = await startReplica({
        of: { server: primary, dataDir },
        dataDir: path.join(folder, "replica"),
      });
      const clients = [primary.url, server.url].map((url) =>
        postgres(url, { max: 2, onnotice: () => undefined }),
      );
      const [one, other] = clients.map((client) => drizzle({ client }));
      if (!one || !other) throw new Error("No database.");
      const shops: ShopProcess[] = [];
      const start = async () => {
        const shop = await startShop({
          ...shopEnv,
          DATABASE_URL: primary.url,
          DATABASE_REPLICA_URL: server.url,
        });
        shops.push(shop);
        return shop;
      };
      const shop = await start();
      await use({
        shop,
        api: createApi(shop),
        primary: one,
        replica: other,
        server,
        readsAtReplica: () =>
          readFileSync(server.logFile, "utf8").split('on "products"."id" = wanted.id').length - 1,
        start: async () => createApi(await start()),
      });
      for (const each of shops) await each.stop();
      for (const client of clients) await client.end();
      await server.stop({ isForced: true });
      await primary.stop({ isForced: true });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** Inserts a product without invalidating caches, and waits until it is on both servers. */
async function placeProduct(
  { primary, replica }: Followed,
  values: { name: string; priceCents: number },
) {
  const product = await createProduct({ db: primary, ...values });
  const isThere = () =>
    replica.execute(sql`select from products where id = ${product.id}`).then(({ count }) => count);
  await expect.poll(isThere).toBe(1);
  return product;
}

/** On its page, and by a search, which nothing caches; null where there is none. */
async function priceOf(api: Api, { id, name }: { id: number; name: string }) {
  const page = await api.get(`/product/${id}`, { accept: "text/html" });
  expect(page.status).toBe(200);
  const list = await api.get<{ id: number; price: number }[]>(
    `/api/products?search=${encodeURIComponent(name)}`,
    { accept: "application/json" },
  );
  const found = list.json.find((product) => product.id === id);
  return [/>(\d+,\d\d)\s€</.exec(page.text)?.[1], found?.price];
}

async function changePrice(
  api: Api,
  { id, token, price }: { id: number; token: string; price: number },
) {
  const { status, text } = await api.put(`/api/physical_products/${id}`, {
    token,
    json: { price },
  });
  expect(status, text).toBe(200);
}

test("the catalogue is read from the replica once it has caught up, private data never", async ({
  followed: { api, primary, readsAtReplica, server },
}) => {
  const product = await createProduct({
    db: primary,
    name: "Lanterne suiveuse",
    priceCents: 1_000,
  });
  const search = () => api.get(`/api/products?search=lanterne`);
  const before = readsAtReplica();
  await expect
    .poll(
      async () => {
        await search();
        return readsAtReplica();
      },
      { intervals: [100], timeout: 20_000 },
    )
    .toBeGreaterThan(before + 3);
  expect(await priceOf(api, product)).toEqual(["10,00", 10]);

  const user = await createUser({ db: primary });
  const { token } = await logIn({ api, email: user.email });
  await api.post("/api/cart/add", { token, json: { productId: product.id, quantity: 2 } });
  const cart = await api.get<{ items: unknown[] }>("/api/cart", { token });
  expect(cart.json.items).toHaveLength(1);
  const log = readFileSync(server.logFile, "utf8");
  for (const table of ["cart_items", 'from "users" where', "insert into"])
    expect(log.includes(table), table).toBe(false);
});

test("a changed price is current while the replica lags, and stays so", async ({ followed }) => {
  const { api, primary, replica, readsAtReplica, start } = followed;
  const { token } = await newAdmin(primary);
  const product = await placeProduct(followed, { name: "Bougie retardée", priceCents: 2_000 });
  expect(await priceOf(api, product)).toEqual(["20,00", 20]);
  await replica.execute(sql`select pg_wal_replay_pause()`);
  const pauseState = async () => {
    const rows = await replica.execute(sql`select pg_get_wal_replay_pause_state() as state`);
    return rows[0]?.state;
  };
  await expect.poll(pauseState).toBe("paused");
  const fresh = await (async () => {
    try {
      for (const price of [21, 22.5, 23]) {
        await changePrice(api, { ...product, token, price });
        const shown = price.toFixed(2).replace(".", ",");
        expect(await priceOf(api, product)).toEqual([shown, price]);
      }
      const rows = await replica.execute<{ price: number }>(
        sql`select price_cents as price from products where id = ${product.id}`,
      );
      // The replica would have said something else.
      expect(rows[0]?.price).not.toBe(2_300);
      // An instance that starts now knows of no change; it must not believe the replica, either.
      const started = await start();
      expect(await priceOf(started, product)).toEqual(["23,00", 23]);
      return started;
    } finally {
      await replica.execute(sql`select pg_wal_replay_resume()`);
    }
  })();
  for (const each of [api, fresh]) {
    const before = readsAtReplica();
    await expect
      .poll(
        async () => {
          expect(await priceOf(each, product)).toEqual(["23,00", 23]);
          return readsAtReplica();
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(before);
  }
});

test("without its replica the shop keeps serving", async ({ followed }) => {
  const { api, primary, server, shop } = followed;
  const { token } = await newAdmin(primary);
  const product = await placeProduct(followed, { name: "Vase solitaire", priceCents: 3_000 });
  await server.stop({ isForced: true });
  for (const price of [30, 31]) {
    await changePrice(api, { ...product, token, price });
    expect(await priceOf(api, product)).toEqual([`${price},00`, price]);
  }
  await expect.poll(() => shop.log()).toContain("the replica is away");
});
