import { expect, test } from "@playwright/test";
import { MAX_ATTEMPTS, retryDelay } from "@/lib/mail/rules";

const HOUR = 3600;

test("the waits double from a minute to six hours", () => {
  const waits = [1, 2, 3, 9, 10, 15].map((attempts) => retryDelay({ attempts, random: 0 }));
  expect(waits).toEqual([60, 120, 240, 256 * 60, 6 * HOUR, 6 * HOUR]);
});

test("up to a fifth of random delay spreads the retries of mails that failed together", () => {
  expect(retryDelay({ attempts: 1, random: 0.5 })).toBe(66);
  expect(retryDelay({ attempts: 1, random: 1 })).toBe(72);
  const drawn = new Set(Array.from({ length: 50 }, () => retryDelay({ attempts: 10 })));
  expect(drawn.size).toBeGreaterThan(10);
});

test("a longer Retry-After of the provider is used, up to a limit", () => {
  expect(retryDelay({ attempts: 1, retryAfter: 600, random: 0 })).toBe(600);
  expect(retryDelay({ attempts: 5, retryAfter: 1, random: 0 })).toBe(16 * 60);
  expect(retryDelay({ attempts: 1, retryAfter: 30 * 24 * HOUR, random: 0 })).toBe(6 * HOUR);
});

test("a mail is given up after nearly three days, not sooner", () => {
  let seconds = 0;
  let attempts = 1;
  for (; attempts < MAX_ATTEMPTS; attempts++) seconds += retryDelay({ attempts, random: 0 }) ?? 0;
  expect(seconds / HOUR).toBeGreaterThan(48);
  expect(seconds / HOUR).toBeLessThan(72);
  expect(retryDelay({ attempts })).toBeNull();
});
