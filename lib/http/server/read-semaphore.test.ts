import { expect, test } from "@playwright/test";
import { ReadSemaphore } from "@/lib/http/server/read-semaphore";

test("permits are limited in all and per network, and released once", () => {
  const readings = new ReadSemaphore({ max: 3, maxPerNetwork: 2 });
  const release = readings.tryAcquire("10.0.0.1");
  expect(release).not.toBeNull();
  expect(readings.tryAcquire("10.0.0.1")).not.toBeNull();
  expect(readings.tryAcquire("10.0.0.1")).toBeNull();
  expect(readings.tryAcquire("10.0.0.2")).not.toBeNull();
  expect(readings.tryAcquire("10.0.0.3")).toBeNull();
  expect(readings.inUse).toBe(3);
  release?.();
  release?.();
  expect(readings.inUse).toBe(2);
  expect(readings.tryAcquire("10.0.0.1")).not.toBeNull();
  expect(readings.tryAcquire("10.0.0.3")).toBeNull();
});

test("a rendering without a known network counts only in all", () => {
  const readings = new ReadSemaphore({ max: 2, maxPerNetwork: 1 });
  expect([readings.tryAcquire(undefined), readings.tryAcquire(undefined)]).not.toContain(null);
  expect(readings.tryAcquire(undefined)).toBeNull();
});
