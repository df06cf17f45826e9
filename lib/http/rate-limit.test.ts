import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { isFailure } from "@/lib/errors/failure";
import { rateLimiter } from "@/lib/http/rate-limit";

let names = 0;
/** A limiter of its own for every test: the counts are one per name and process. */
const limiter = (points: number, duration = 60) =>
  rateLimiter({ name: `test-${names++}`, points, duration });

function scale(value: string) {
  process.env.RATE_LIMIT_SCALE = value;
  forgetEnv();
}

const environment = { ...process.env };

test.beforeEach(() => {
  delete process.env.REDIS_URL;
  scale("1");
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const refusal = async (attempt: Promise<void>) =>
  attempt.then(
    () => null,
    (error: unknown) => (isFailure(error, "tooMany") ? error : Promise.reject(error)),
  );

test("an attempt beyond the limit is refused, with the time to wait, per key", async () => {
  const limit = limiter(2, 90);
  await limit.consume("a");
  await limit.consume("a");
  const refused = await refusal(limit.consume("a"));
  expect(refused?.retryAfter).toBeGreaterThan(85);
  expect(refused?.retryAfter).toBeLessThanOrEqual(90);
  expect(refused?.message).toBe("Trop de tentatives. Réessayez dans 2 minutes.");
  expect(await refusal(limit.consume("b"))).toBeNull();
});

test("concurrent attempts cannot exceed the limit", async () => {
  const limit = limiter(3);
  const attempts = await Promise.all(Array.from({ length: 10 }, () => refusal(limit.consume("a"))));
  expect(attempts.filter((refused) => refused === null)).toHaveLength(3);
});

test("the points come back after the duration", async () => {
  const limit = limiter(1, 2);
  await limit.consume("a");
  expect([1, 2]).toContain((await refusal(limit.consume("a")))?.retryAfter);
  await expect.poll(() => refusal(limit.consume("a"))).toBeNull();
});

test("successes are not counted: a point is refunded, or all are reset", async () => {
  const limit = limiter(2);
  for (let success = 0; success < 5; success++) {
    await limit.consume("a");
    await limit.refund("a");
  }
  await limit.consume("a");
  await limit.consume("a");
  expect(await refusal(limit.consume("a"))).not.toBeNull();
  await limit.reset("a");
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await refusal(limit.consume("a"))).toBeNull();
});

test("RATE_LIMIT_SCALE multiplies every limit, but never to zero", async () => {
  scale("2.5");
  const doubled = limiter(2);
  for (let i = 0; i < 5; i++) await doubled.consume("a");
  expect(await refusal(doubled.consume("a"))).not.toBeNull();
  scale("0.001");
  const least = limiter(2);
  await least.consume("a");
  expect(await refusal(least.consume("a"))).not.toBeNull();
});
