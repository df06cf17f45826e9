import { setTimeout as delay } from "node:timers/promises";
import { test as base, expect } from "@playwright/test";
import Redis from "ioredis";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/services/redis";
import { openTcpProxy } from "@/e2e/tcp-proxy";
import { SharedCache, type SharedEntry } from "@/lib/http/cache/shared-cache";
import { STATE } from "@/lib/http/cache/shared-cache-scripts";

/** A process's own cache, reduced to what it was told. */
class Told {
  tags: string[] = [];
  times = 0;
  expireTags(tags: readonly string[]) {
    this.tags.push(...tags);
  }
  expireAll() {
    this.times += 1;
  }
}

interface Instance {
  cache: SharedCache;
  told: Told;
}

const test = base.extend<
  { instance: () => Promise<Instance>; client: Redis },
  { redis: RedisServer }
>({
  redis: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      base.skip(!hasRedis() && !process.env.CI, "redis-server is not installed");
      const redis = await startRedis();
      await use(redis);
      await redis.stop();
    },
    { scope: "worker" },
  ],
  client: async ({ redis }, use) => {
    const client = new Redis(redis.url);
    client.on("error", () => undefined);
    await client.flushall();
    await use(client);
    client.disconnect();
  },
  instance: async ({ redis, client: _ }, use) => {
    const started: SharedCache[] = [];
    await use(async () => {
      const told = new Told();
      const cache = new SharedCache(redis.url, ["https://boutique.exemple.fr"], told);
      started.push(cache);
      await cache.start();
      expect(cache.mark).not.toBeNull();
      return { cache, told };
    });
    for (const cache of started) cache.stop();
  },
});

const entry = (value: unknown, tags = ["product:7"]): SharedEntry => ({
  value: value as SharedEntry["value"],
  tags,
  lastModified: Date.now(),
});

// It may be away for a moment alone.
const often = { intervals: [20] };
const isThere = (cache: SharedCache) => expect.poll(() => cache.mark, often).not.toBeNull();
const isAway = (cache: SharedCache) => expect.poll(() => cache.mark, often).toBeNull();

/** Of the page that is there; null also where Redis has taken too long to answer. */
const valueAt = async (cache: SharedCache) => (await cache.find("page"))?.value ?? null;

test("an instance finds what another one has stored, with bytes and maps, until it expires", async ({
  instance,
  client,
}) => {
  const [one, other] = [await instance(), await instance()];
  const value = { html: "<p>é</p>", rsc: Buffer.from([0, 255]), map: new Map([["a", 1]]) };
  await one.cache.keep({ key: "page", entry: entry(value), mark: one.cache.mark });
  await expect.poll(() => valueAt(other.cache)).toEqual(value);
  expect(await other.cache.find("unknown")).toBeNull();
  const [key = ""] = await client.keys("{shop-cache}:entry:*");
  expect(await client.pttl(key)).toBeGreaterThan(290_000);
  expect(await client.pttl(key)).toBeLessThanOrEqual(300_000);

  await one.cache.expire(["product:8"]);
  await expect.poll(() => valueAt(other.cache)).toEqual(value);
  await one.cache.expire(["product:7", "catalogue"]);
  expect(await other.cache.find("page")).toBeNull();
  expect(await one.cache.find("page")).toBeNull();
  await expect.poll(() => other.told.tags).toEqual(["product:8", "product:7", "catalogue"]);
  // Whoever says it need not be told.
  expect(one.told.tags).toEqual([]);
});

test("a page read before a change is not used, whichever instance stores it and when", async ({
  instance,
}) => {
  const [writer, reader] = [await instance(), await instance()];
  const { mark } = reader.cache;
  await writer.cache.expire(["product:7"]);
  await reader.cache.keep({ key: "page", entry: entry("old"), mark });
  for (const { cache } of [writer, reader]) expect(await cache.find("page")).toBeNull();
  await expect.poll(() => reader.cache.mark?.seq).toBe(writer.cache.mark?.seq);
  await reader.cache.keep({ key: "page", entry: entry("new"), mark: reader.cache.mark });
  await expect.poll(() => valueAt(writer.cache)).toBe("new");
});

test("instances of another configuration share changes, but no pages", async ({
  redis,
  instance,
}) => {
  const { cache } = await instance();
  const told = new Told();
  const other = new SharedCache(redis.url, ["https://autre.exemple.fr"], told);
  await other.start();
  await cache.keep({ key: "page", entry: entry("a"), mark: cache.mark });
  expect(await other.find("page")).toBeNull();
  await cache.expire(["product:7"]);
  await expect.poll(() => told.tags).toEqual(["product:7"]);
  other.stop();
});

test("during an outage of Redis changes are queued, and sent before anything is read from it", async ({
  instance,
  client,
}) => {
  const [one, other] = [await instance(), await instance()];
  await other.cache.keep({ key: "page", entry: entry("old"), mark: other.cache.mark });
  // The connections alone are lost: what Redis holds is as it was.
  await client.client("PAUSE", 1_000, "ALL");
  await one.cache.expire(["product:7"]);
  await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes").catch(() => undefined);
  await isThere(one.cache);
  expect(await one.cache.find("page")).toBeNull();
  await isThere(other.cache);
  await expect.poll(() => other.told.tags).toContain("product:7");
  // All that was missed could be told: nothing else is forgotten since the first connection.
  expect(other.told.times).toBe(1);
});

test("a lost change is sent again on the next connection, before anything is read", async ({
  redis,
  instance,
}) => {
  const proxy = await openTcpProxy(redis.url);
  const told = new Told();
  const one = new SharedCache(proxy.url, ["https://boutique.exemple.fr"], told);
  await one.start();
  const other = await instance();
  await other.cache.keep({ key: "page", entry: entry("old"), mark: other.cache.mark });
  await expect.poll(() => valueAt(one)).toBe("old");
  // A route is lost: nobody closes the connection, and new ones work.
  proxy.stall({ newOnes: false });
  await one.expire(["product:7"]);
  await isAway(one);
  await isThere(one);
  expect(await one.find("page")).toBeNull();
  await expect.poll(() => other.told.tags).toContain("product:7");
  // The former connection's end does not take the new one along.
  await delay(2_500);
  expect(one.mark).not.toBeNull();
  one.stop();
  await proxy.stop();
});

test("pages that a restarted Redis restores from disk are not used", async ({
  redis,
  instance,
  client,
}) => {
  const [one, other] = [await instance(), await instance()];
  await one.cache.keep({ key: "page", entry: entry("old"), mark: one.cache.mark });
  await client.save();
  await redis.kill();
  await Promise.all([isAway(one.cache), isAway(other.cache)]);
  // Settles although nobody listens.
  await one.cache.expire(["product:7"]);
  expect(await one.cache.find("page")).toBeNull();
  await redis.start();
  await Promise.all([isThere(one.cache), isThere(other.cache)]);
  await expect.poll(() => client.keys("{shop-cache}:entry:*")).toHaveLength(1);
  for (const { cache } of [one, other]) expect(await cache.find("page")).toBeNull();
  expect(other.told.times).toBe(2);
});

test("an emptied Redis is noticed, by the next change or within a second", async ({
  instance,
  client,
}) => {
  const [one, other] = [await instance(), await instance()];
  await client.flushall();
  await one.cache.expire(["product:7"]);
  await expect.poll(() => other.told.times).toBe(2);
  await isThere(other.cache);
  const before = other.cache.mark?.epoch;
  await client.del(STATE);
  await expect.poll(() => other.cache.mark?.epoch).not.toBe(before);
  await isThere(other.cache);
});

test("thousands of tags at once expire everything", async ({ instance }) => {
  const [one, other] = [await instance(), await instance()];
  await one.cache.keep({ key: "page", entry: entry("a", ["tags"]), mark: one.cache.mark });
  await one.cache.expire(Array.from({ length: 3_000 }, (_, id) => `product:${id}`));
  expect(await one.cache.find("page")).toBeNull();
  await expect.poll(() => other.told.times).toBe(2);
});

test("a hanging Redis delays calls only up to a timeout", async ({ instance, client }) => {
  const { cache } = await instance();
  await client.client("PAUSE", 6_000, "ALL");
  const began = performance.now();
  expect(await cache.find("page")).toBeNull();
  await cache.expire(["product:7"]);
  expect(performance.now() - began).toBeLessThan(5_000);
});
