import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "@playwright/test";
import { createReadSemaphore } from "@/lib/http/server/read-semaphore";

const from = (remoteAddress: string) => ({
  request: {
    headers: {},
    socket: Object.assign(new EventEmitter(), { remoteAddress }),
  } as unknown as IncomingMessage,
  response: new EventEmitter() as ServerResponse,
});

test("places are taken in all and per network, and given back once", () => {
  const readings = createReadSemaphore({ max: 3, maxPerNetwork: 2 });
  const first = from("10.0.0.1");
  expect(readings.tryAcquireFor(first)).toBe(true);
  expect(readings.tryAcquireFor(from("10.0.0.1"))).toBe(true);
  expect(readings.tryAcquireFor(from("10.0.0.1"))).toBe(false);
  expect(readings.tryAcquireFor(from("10.0.0.2"))).toBe(true);
  expect(readings.tryAcquireFor(from("10.0.0.3"))).toBe(false);
  expect(readings.inUse).toBe(3);
  // The answer has been made, though not read; later its reader is gone.
  first.response.emit("prefinish");
  first.request.socket.emit("close");
  expect(readings.inUse).toBe(2);
  expect(readings.tryAcquireFor(from("10.0.0.1"))).toBe(true);
  expect(readings.tryAcquireFor(from("10.0.0.3"))).toBe(false);
});

test("requests that wait behind another give their places back when their connection ends", () => {
  const readings = createReadSemaphore({ max: 9, maxPerNetwork: 9 });
  const { request } = from("10.0.0.1");
  const answers = [0, 1, 2].map(() => new EventEmitter() as ServerResponse);
  for (const response of answers) expect(readings.tryAcquireFor({ request, response })).toBe(true);
  expect(request.socket.listenerCount("close")).toBe(1);
  answers[0]?.emit("prefinish");
  expect(readings.inUse).toBe(2);
  request.socket.emit("close");
  expect(readings.inUse).toBe(0);
});

test("addresses of one IPv6 network count as one client", () => {
  const readings = createReadSemaphore({ max: 9, maxPerNetwork: 1 });
  expect(readings.tryAcquireFor(from("2001:db8::1"))).toBe(true);
  expect(readings.tryAcquireFor(from("2001:db8::2"))).toBe(false);
  expect(readings.tryAcquireFor(from("2001:db8:0:1::2"))).toBe(true);
});

test("a rendering takes a place as a request does, and one of nobody known counts in all alone", () => {
  const readings = createReadSemaphore({ max: 3, maxPerNetwork: 1 });
  const release = readings.tryAcquire("10.0.0.1");
  expect(release).not.toBeNull();
  expect(readings.tryAcquire("10.0.0.1")).toBeNull();
  expect(readings.tryAcquireFor(from("10.0.0.1"))).toBe(false);
  expect([readings.tryAcquire(undefined), readings.tryAcquire(undefined)]).not.toContain(null);
  expect(readings.tryAcquire(undefined)).toBeNull();
  release?.();
  release?.();
  expect(readings.inUse).toBe(2);
  expect(readings.tryAcquire("10.0.0.1")).not.toBeNull();
});
