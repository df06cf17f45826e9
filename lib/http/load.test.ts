import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "@playwright/test";
import { boundReadings } from "@/lib/http/load";

const from = (remoteAddress: string) => ({
  request: {
    headers: {},
    socket: Object.assign(new EventEmitter(), { remoteAddress }),
  } as unknown as IncomingMessage,
  response: new EventEmitter() as ServerResponse,
});

test("places are taken in all and per network, and given back once", () => {
  const readings = boundReadings({ most: 3, mostOfOne: 2 });
  const first = from("10.0.0.1");
  expect(readings.admit(first)).toBe(true);
  expect(readings.admit(from("10.0.0.1"))).toBe(true);
  expect(readings.admit(from("10.0.0.1"))).toBe(false);
  expect(readings.admit(from("10.0.0.2"))).toBe(true);
  expect(readings.admit(from("10.0.0.3"))).toBe(false);
  expect(readings.count).toBe(3);
  // The answer has been made, though not read; later its reader is gone.
  first.response.emit("prefinish");
  first.request.socket.emit("close");
  expect(readings.count).toBe(2);
  expect(readings.admit(from("10.0.0.1"))).toBe(true);
  expect(readings.admit(from("10.0.0.3"))).toBe(false);
});

test("requests that wait behind another give their places back when their connection ends", () => {
  const readings = boundReadings({ most: 9, mostOfOne: 9 });
  const { request } = from("10.0.0.1");
  const answers = [0, 1, 2].map(() => new EventEmitter() as ServerResponse);
  for (const response of answers) expect(readings.admit({ request, response })).toBe(true);
  expect(request.socket.listenerCount("close")).toBe(1);
  answers[0]?.emit("prefinish");
  expect(readings.count).toBe(2);
  request.socket.emit("close");
  expect(readings.count).toBe(0);
});

test("addresses of one IPv6 network count as one client", () => {
  const readings = boundReadings({ most: 9, mostOfOne: 1 });
  expect(readings.admit(from("2001:db8::1"))).toBe(true);
  expect(readings.admit(from("2001:db8::2"))).toBe(false);
  expect(readings.admit(from("2001:db8:0:1::2"))).toBe(true);
});

test("a rendering takes a place as a request does, and one of nobody known counts in all alone", () => {
  const readings = boundReadings({ most: 3, mostOfOne: 1 });
  const release = readings.take("10.0.0.1");
  expect(release).not.toBeNull();
  expect(readings.take("10.0.0.1")).toBeNull();
  expect(readings.admit(from("10.0.0.1"))).toBe(false);
  expect([readings.take(undefined), readings.take(undefined)]).not.toContain(null);
  expect(readings.take(undefined)).toBeNull();
  release?.();
  release?.();
  expect(readings.count).toBe(2);
  expect(readings.take("10.0.0.1")).not.toBeNull();
});
