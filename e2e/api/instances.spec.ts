import Redis from "ioredis";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/services/redis";
import { logIn } from "../accounts";
import { newAdmin } from "../admin";
import { type Api, createApi } from "../api-client";
import { createDatabase } from "../database-broker";
import { openDatabase } from "../database-fixtures";
import { test as base, expect } from "../fixtures";
import { type ShopEnv, type ShopProcess, startShop } from "../shop-process";

// Two instances of the shop as behind a load balancer: one database, one Redis, and nothing else in common.

interface Instance extends ShopProcess {
  api: Api;
}

interface Fleet {
  database: Database;
  redis: RedisServer;
  one: Instance;
  other: Instance;
  /** Starts a further instance, which runs until the end of the tests. */
  start(env?: ShopEnv): Promise<Instance>;
}

const test = base.extend<object, { fleet: Fleet }>({
  fleet: [
    async ({ shopEnv }, use) => {
      base.skip(!hasRedis() && !process.env.CI, "redis-server is not installed");
      const DATABASE_URL = await createDatabase();
      const { database, close } = openDatabase(DATABASE_URL);
      const redis = await startRedis();
      const shops: ShopProcess[] = [];
      const start = async (env: ShopEnv = {}) => {
        const shop = await startShop({
          ...shopEnv,
          DATABASE_URL,
          REDIS_URL: redis.url,
          // Pages contain this URL. All instances have the same one, as behind one load balancer.
          SITE_URL: "http://127.0.0.1:3000",
          LOG_LEVEL: "info",
          ...env,
        });
        shops.push(shop);
        return { ...shop, api: createApi(shop) };
      };
      const [one, other] = await Promise.all([start(), start()]);
      await use({ database, redis, one, other, start });
      for (const shop of shops) await shop.stop();
      await Promise.all([redis.stop(), close()]);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

const euros = (cents: number) =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;

/** The prices of a product as an instance shows them: on its page and by the API, in cents. */
async function pricesAt({ api }: Instance, { id }: { id: number }): Promise<string[]> {
  const [page, item] = await Promise.all([
    api.get(`/product/${id}`, { accept: "text/html" }),
    api.get<{ price: number }>(`/api/products/${id}`),
  ]);
  expect(page.status, page.text).toBe(200);
  return [/>(\d+,\d\d)\s€</.exec(page.text)?.[1] ?? "", euros(Math.round(item.json.price * 100))];
}

const both = (cents: number) => [euros(cents), euros(cents)];

/** A product and an administrator who changes its price. */
async function createPriced({ database }: Fleet, priceCents: number) {
  const { token } = await newAdmin(database);
  const product = await createProduct({ db: database, priceCents });
  const changePrice = async ({ api }: Instance, cents: number) => {
    const json = { price: cents / 100 };
    const answer = await api.put(`/api/physical_products/${product.id}`, { token, json });
    expect(answer.status, answer.text).toBe(200);
  };
  return { product, changePrice };
}

/**
 * Expects that a request sent one second after a change, or later, shows the change, however long the
 * response takes.
 */
async function expectWithinASecond(instance: Instance, product: { id: number }, cents: number) {
  const changed = performance.now();
  let asked = changed;
  const prices = () => {
    asked = performance.now();
    return pricesAt(instance, product);
  };
  await expect.poll(prices, { intervals: [20] }).toEqual(both(cents));
  expect(asked - changed).toBeLessThan(1_000);
}

test("a change is current elsewhere in a second", async ({ fleet }) => {
  const { one, other } = fleet;
  const { product, changePrice } = await createPriced(fleet, 1_111);
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(1_111));
  for (const [from, to, cents] of [
    [one, other, 2_222],
    [other, one, 3_333],
    [one, other, 4_444],
  ] as const) {
    await changePrice(from, cents);
    const [own] = await Promise.all([
      pricesAt(from, product),
      expectWithinASecond(to, product, cents),
    ]);
    expect(own).toEqual(both(cents));
  }
});

test("a new instance serves the others' pages", async ({ fleet: { one, start, database } }) => {
  const product = await createProduct({ db: database, priceCents: 5_151 });
  expect(await pricesAt(one, product)).toEqual(both(5_151));
  // The new instance cannot have rendered the page: it has no database.
  const url = new URL(String(one.env.DATABASE_URL));
  url.port = "9";
  const fresh = await start({ DATABASE_URL: url.href });
  await expect.poll(() => pricesAt(fresh, product).catch(String)).toEqual(both(5_151));
  await fresh.stop();
});

test("rate limits are shared", async ({ fleet: { start } }) => {
  const strict = await Promise.all([1, 2].map(() => start({ RATE_LIMIT_SCALE: "1" })));
  const json = { nom: "Martin", email: "camille@exemple.test", message: "Bonjour, une question." };
  for (const [i, status] of [201, 201, 201, 201, 201, 429].entries())
    expect((await strict[i % 2]?.api.post("/api/contact", { json }))?.status).toBe(status);
  for (const each of strict) await each.stop();
});

test("without Redis no price becomes stale", async ({ fleet }) => {
  const { one, other, redis, database } = fleet;
  const { product, changePrice } = await createPriced(fleet, 1_010);
  const unseen = await createProduct({ db: database, priceCents: 2_020 });
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(1_010));
  await redis.kill();
  for (const each of [one, other]) {
    expect(await pricesAt(each, product)).toEqual(both(1_010));
    expect(await pricesAt(each, unseen)).toEqual(both(2_020));
    await logIn({ api: each.api, email: (await createUser({ db: database })).email });
  }
  await changePrice(one, 1_212);
  expect(await pricesAt(one, product)).toEqual(both(1_212));
  await redis.start();
  await expect.poll(() => pricesAt(other, product)).toEqual(both(1_212));
  // Both instances see each other's changes again.
  for (const each of [one, other]) await expect.poll(() => each.log()).toContain("Redis is back");
  await changePrice(other, 1_313);
  await expectWithinASecond(one, product, 1_313);
});

test("a Redis that was flushed, or restored from an old snapshot, serves nothing stale", async ({
  fleet,
}) => {
  const { one, other, redis, start } = fleet;
  const { product, changePrice } = await createPriced(fleet, 6_060);
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(6_060));
  const client = new Redis(redis.url);
  client.on("error", () => undefined);
  await client.flushall();
  await changePrice(one, 6_161);
  await expectWithinASecond(other, product, 6_161);

  // Redis saves its data to disk. The data becomes stale, and Redis loads it again.
  await client.save();
  client.disconnect();
  await changePrice(one, 6_262);
  await redis.kill();
  await redis.start();
  for (const each of [one, other])
    await expect.poll(() => pricesAt(each, product)).toEqual(both(6_262));
  const fresh = await start();
  expect(await pricesAt(fresh, product)).toEqual(both(6_262));
  await fresh.stop();
});
