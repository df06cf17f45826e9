import { drizzle } from "drizzle-orm/postgres-js";
import Redis from "ioredis";
import postgres from "postgres";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/services/redis";
import { isOpen, logIn } from "../accounts";
import { newAdmin } from "../admin";
import { type Api, createApi } from "../api-client";
import { createDatabase } from "../database-broker";
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
      const client = postgres(DATABASE_URL, { max: 4, onnotice: () => undefined });
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
      await use({ database: drizzle({ client }), redis, one, other, start });
      for (const shop of shops) await shop.stop();
      await Promise.all([redis.stop(), client.end()]);
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

async function changePrice({
  at,
  product,
  cents,
  token,
}: {
  at: Instance;
  product: { id: number };
  cents: number;
  token: string;
}): Promise<void> {
  const answer = await at.api.put(`/api/physical_products/${product.id}`, {
    token,
    json: { price: cents / 100 },
  });
  expect(answer.status, answer.text).toBe(200);
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

test("a change is current elsewhere in a second", async ({ fleet: { one, other, database } }) => {
  const { token } = await newAdmin(database);
  const product = await createProduct({ db: database, priceCents: 1_111 });
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(1_111));
  for (const [from, to, cents] of [
    [one, other, 2_222],
    [other, one, 3_333],
    [one, other, 4_444],
  ] as const) {
    await changePrice({ at: from, product, cents, token });
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

test("sessions work and end on both instances", async ({ fleet: { one, other, database } }) => {
  const { email } = await createUser({ db: database });
  const { token } = await logIn({ api: one.api, email });
  expect(await isOpen({ api: other.api, token })).toBe(true);
  expect((await other.api.post("/api/logout", { token })).status).toBe(204);
  expect(await isOpen({ api: one.api, token })).toBe(false);
});

test("rate limits are shared", async ({ fleet: { start } }) => {
  const strict = await Promise.all([1, 2].map(() => start({ RATE_LIMIT_SCALE: "1" })));
  const json = { nom: "Martin", email: "camille@exemple.test", message: "Bonjour, une question." };
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const answer = await strict[i % 2]?.api.post("/api/contact", { json });
    statuses.push(answer?.status ?? 0);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  for (const each of strict) await each.stop();
});

test("without Redis no price becomes stale", async ({ fleet: { one, other, redis, database } }) => {
  const { token } = await newAdmin(database);
  const product = await createProduct({ db: database, priceCents: 1_010 });
  const unseen = await createProduct({ db: database, priceCents: 2_020 });
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(1_010));
  await redis.kill();
  for (const each of [one, other]) {
    expect(await pricesAt(each, product)).toEqual(both(1_010));
    expect(await pricesAt(each, unseen)).toEqual(both(2_020));
    await logIn({ api: each.api, email: (await createUser({ db: database })).email });
  }
  await changePrice({ at: one, product, cents: 1_212, token });
  expect(await pricesAt(one, product)).toEqual(both(1_212));
  await redis.start();
  await expect.poll(() => pricesAt(other, product)).toEqual(both(1_212));
  // Both instances see each other's changes again.
  await expect.poll(() => other.log()).toContain("Redis is back");
  await expect.poll(() => one.log()).toContain("Redis is back");
  await changePrice({ at: other, product, cents: 1_313, token });
  await expectWithinASecond(one, product, 1_313);
});

test("a Redis that was flushed, or restored from an old snapshot, serves nothing stale", async ({
  fleet: { one, other, redis, start, database },
}) => {
  const { token } = await newAdmin(database);
  const product = await createProduct({ db: database, priceCents: 6_060 });
  for (const each of [one, other]) expect(await pricesAt(each, product)).toEqual(both(6_060));
  const client = new Redis(redis.url);
  client.on("error", () => undefined);
  await client.flushall();
  await changePrice({ at: one, product, cents: 6_161, token });
  await expectWithinASecond(other, product, 6_161);

  // Redis saves its data to disk. The data becomes stale, and Redis loads it again.
  await client.save();
  client.disconnect();
  await changePrice({ at: one, product, cents: 6_262, token });
  await redis.kill();
  await redis.start();
  for (const each of [one, other])
    await expect.poll(() => pricesAt(each, product)).toEqual(both(6_262));
  const fresh = await start();
  expect(await pricesAt(fresh, product)).toEqual(both(6_262));
  await fresh.stop();
});
