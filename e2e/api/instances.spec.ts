import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import Redis from "ioredis";
import postgres from "postgres";
import sharp from "sharp";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createAddress, createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/services/redis";
import { type S3Server, startS3 } from "@/e2e/services/s3";
import { isOpen, logIn } from "../accounts";
import { newAdmin } from "../admin";
import { type Api, createApi } from "../api-client";
import { balanceOf, expectBalance } from "../balance";
import { addToCart, confirm, createBuyer, payCart, requestPayment } from "../buying";
import { type Cards, expectDelivered, startCards } from "../cards";
import { createDatabase } from "../database-broker";
import { test as base, expect } from "../fixtures";
import { type ShopEnv, type ShopProcess, startShop } from "../shop-process";

// Two instances of the shop as behind a load balancer: one database, one Redis, one bucket, and
// nothing else in common.

interface Instance extends ShopProcess {
  api: Api;
}

interface Fleet {
  database: Database;
  cards: Cards;
  redis: RedisServer;
  s3: S3Server;
  one: Instance;
  other: Instance;
  /** Starts a further instance, which runs until the end of the tests. */
  start(env?: ShopEnv): Promise<Instance>;
}

const test = base.extend<object, { fleet: Fleet }>({
  fleet: [
    async ({ shopEnv }, use) => {
      base.skip(!hasRedis() && !process.env.CI, "redis-server is not installed");
      const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-fleet-"));
      const DATABASE_URL = await createDatabase();
      const client = postgres(DATABASE_URL, { max: 4, onnotice: () => undefined });
      const cards = await startCards(String(shopEnv.AUTH_SECRET));
      const redis = await startRedis();
      const s3 = await startS3();
      const shops: ShopProcess[] = [];
      const start = async (env: ShopEnv = {}) => {
        const shop = await startShop({
          ...shopEnv,
          DATABASE_URL,
          STRIPE_API_BASE: cards.url,
          REDIS_URL: redis.url,
          ...s3.env,
          // Pages contain this URL. All instances have the same one, as behind one load balancer.
          SITE_URL: "http://127.0.0.1:3000",
          LOG_LEVEL: "info",
          UPLOADS_DIR: path.join(folder, `uploads-${shops.length}`),
          ...env,
        });
        shops.push(shop);
        const api = createApi(shop);
        // The shop listens a moment before it is ready.
        await api.get("/api");
        return { ...shop, api };
      };
      const [one, other] = await Promise.all([start(), start()]);
      await cards.sendWebhooksTo(other.baseURL);
      await use({ database: drizzle({ client }), cards, redis, s3, one, other, start });
      for (const shop of shops) await shop.stop();
      await Promise.all([cards.stop(), redis.stop(), s3.stop(), client.end()]);
      rmSync(folder, { recursive: true, force: true });
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

test("a product changed on one instance is current on the other within a second", async ({
  fleet: { one, other, database },
}) => {
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

test("a new instance serves pages that another has rendered", async ({
  fleet: { one, start, database },
}) => {
  const product = await createProduct({ db: database, priceCents: 5_151 });
  expect(await pricesAt(one, product)).toEqual(both(5_151));
  // The new instance cannot have rendered the page: it has no database.
  const url = new URL(String(one.env.DATABASE_URL));
  url.port = "9";
  const fresh = await start({ DATABASE_URL: url.href });
  await expect.poll(() => pricesAt(fresh, product).catch(String)).toEqual(both(5_151));
  await fresh.stop();
});

test("sessions work on both instances, and a logout ends them on both", async ({
  fleet: { one, other, database, cards },
}) => {
  const user = await createUser({ db: database });
  const { id: addressId } = await createAddress({ db: database, userId: user.id });
  const { token } = await logIn({ api: one.api, email: user.email });
  const buyer = { id: user.id, email: user.email, token, addressId };
  const { id: productId } = await createProduct({ db: database, priceCents: 4_290 });
  await addToCart({ api: other.api, buyer, productId });
  const secret = await payCart({ api: other.api, buyer, cards });
  const { status, text } = await confirm({ api: other.api, buyer, secret });
  expect([200, 201], text).toContain(status);
  const mine = await one.api.get<{ total: number }[]>("/api/my-orders", { token });
  expect(mine.json.map(({ total }) => total)).toEqual([42.9]);

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

test("a picture uploaded to one is served by the other", async ({
  fleet: { one, other, s3, database },
}) => {
  const { token } = await newAdmin(database);
  const red = { r: 200, g: 30, b: 60 };
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: red } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("file", new File([bytes as BlobPart], "photo.png", { type: "image/png" }));
  const sent = await fetch(`${one.baseURL}/api/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  expect(sent.status).toBe(201);
  const { url } = (await sent.json()) as { url: string };
  const served = await fetch(other.baseURL + url);
  expect(served.status).toBe(200);
  const stored = s3.objects.get(url.replace("/images/", "boutique/"))?.bytes;
  expect(Buffer.from(await served.arrayBuffer()).equals(stored ?? Buffer.alloc(0))).toBe(true);
});

test("without Redis both instances keep serving, and after its return none shows a stale price", async ({
  fleet: { one, other, redis, database },
}) => {
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

test("an instance killed during purchases loses no cent and no order", async ({
  fleet: { one, other, database, cards },
}) => {
  const { orders: before } = await balanceOf({ database, cards });
  const count = await database.$count(orders);
  const shoppers = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const buyer = await createBuyer(database);
      const { id: productId } = await createProduct({ db: database, priceCents: 1_000 + i });
      const { api } = i % 2 === 0 ? one : other;
      await addToCart({ api, buyer, productId });
      return { api, buyer, paid: undefined as string | undefined };
    }),
  );
  const isBought = async (shopper: (typeof shoppers)[number], { api }: { api: Api }) => {
    const { buyer } = shopper;
    if (!shopper.paid) {
      const opened = await requestPayment({ api, buyer });
      if (opened.status !== 200) return false;
      await cards.pay(opened.json.clientSecret);
      shopper.paid = opened.json.clientSecret;
    }
    const { status } = await confirm({ api, buyer, secret: shopper.paid });
    return status === 200 || status === 201;
  };
  const buy = async (shopper: (typeof shoppers)[number]) => {
    while (!(await isBought(shopper, shopper)));
  };
  const { buying } = await database.transaction(async (tx) => {
    // Locks the cart of one buyer of the killed instance, so that this purchase is surely interrupted.
    await tx.execute(sql`select from carts where user_id = ${shoppers[0]?.buyer.id} for update`);
    const buying = Promise.allSettled(shoppers.map(buy));
    // SIGKILL, as soon as the first order is written.
    await expect.poll(() => database.$count(orders), { intervals: [1] }).toBeGreaterThan(count);
    await one.stop();
    return { buying };
  });
  expect((await buying)[0]?.status).toBe("rejected");
  // Buyers of the killed instance go to the other one, which has their session and cart.
  for (const shopper of shoppers) await expect.poll(() => isBought(shopper, other)).toBe(true);
  await expectDelivered(cards, { timeout: 15_000 });
  await expectBalance({
    database,
    cards,
    title: "one of two instances killed",
    orders: before + shoppers.length,
    isAlone: true,
  });
});
