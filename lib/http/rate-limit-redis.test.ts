import { expect, test } from "@playwright/test";
import type Redis from "ioredis";
import { hasRedis, startRedis } from "@/e2e/services/redis";
import { openTcpProxy } from "@/e2e/tcp-proxy";
import { forgetEnv } from "@/lib/env";
import { rateLimiter } from "@/lib/http/rate-limit";

const environment = { ...process.env };

/** The process's one connection, which other tests of this worker may have done without. */
async function forgetConnection(): Promise<void> {
  const values = globalThis as unknown as Record<symbol, Promise<Redis | null> | undefined>;
  const name = Symbol.for("mini-ecommerce.rate-limit-redis");
  (await values[name])?.disconnect();
  delete values[name];
}

test.afterEach(async () => {
  process.env = environment;
  forgetEnv();
  await forgetConnection();
});

test("while Redis does not answer, each process counts by itself, without waiting", async () => {
  test.skip(!hasRedis() && !process.env.CI, "redis-server is not installed");
  const redis = await startRedis();
  const proxy = await openTcpProxy(redis.url);
  Object.assign(process.env, { REDIS_URL: proxy.url, RATE_LIMIT_SCALE: "1" });
  forgetEnv();
  await forgetConnection();
  const { consume } = rateLimiter({ name: "silent-redis", points: 2, duration: 60 });
  const isRefused = () =>
    consume("a").then(
      () => false,
      () => true,
    );
  expect(await isRefused()).toBe(false);
  proxy.stall();
  expect([await isRefused(), await isRefused(), await isRefused()]).toEqual([false, false, true]);
  await proxy.stop();
  await redis.stop();
});
