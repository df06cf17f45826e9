import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { isFailure } from "@/lib/errors/failure";
import { rateLimiter } from "@/lib/http/rate-limit";

// e2e/api/load.spec.ts and e2e/api/representation.spec.ts test that the API limits users and networks.

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

/** How many of ten attempts at once are accepted. */
async function accepted(limit: ReturnType<typeof limiter>): Promise<number> {
  const attempts = await Promise.all(Array.from({ length: 10 }, () => refusal(limit.consume("a"))));
  return attempts.filter((refused) => refused === null).length;
}

test("attempts beyond the limit are refused, with the time to wait, per key, also concurrent ones", async () => {
  const limit = limiter(3, 90);
  expect(await accepted(limit)).toBe(3);
  const refused = await refusal(limit.consume("a"));
  expect(refused?.retryAfter).toBeGreaterThan(85);
  expect(refused?.retryAfter).toBeLessThanOrEqual(90);
  expect(refused?.message).toBe("Trop de tentatives. Réessayez dans 2 minutes.");
  expect(await refusal(limit.consume("b"))).toBeNull();
});

test("successes are not counted: a point is refunded, or all are reset", async () => {
  const limit = limiter(2);
  for (let success = 0; success < 5; success++) {
    await limit.consume("a");
    await limit.refund("a");
  }
  expect(await accepted(limit)).toBe(2);
  await limit.reset("a");
  expect(await accepted(limit)).toBe(2);
});

test("RATE_LIMIT_SCALE multiplies every limit, but never to zero", async () => {
  scale("2.5");
  expect(await accepted(limiter(2))).toBe(5);
  scale("0.001");
  expect(await accepted(limiter(2))).toBe(1);
});
