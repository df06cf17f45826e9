import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { ipNetwork, isFromThisMachine, networkOf } from "@/lib/http/server/network";

/** The network that the shop takes a request for, which the socket says to come from `peer`. */
function seen(peer: string | null, forwarded?: string, proxies = 0): string {
  process.env.TRUST_PROXY = String(proxies);
  forgetEnv();
  const headers = new Headers({
    ...(forwarded !== undefined && { "x-forwarded-for": forwarded }),
    ...(peer !== null && { "x-shop-peer": peer }),
  });
  return networkOf({ headers });
}

test.beforeAll(() => {
  process.env.SHOP_SERVER = "1";
});

test.afterAll(() => {
  delete process.env.SHOP_SERVER;
  delete process.env.TRUST_PROXY;
  forgetEnv();
});

test("without a proxy the socket's address counts, whatever the client sends", () => {
  expect(seen("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
  expect(seen("::ffff:203.0.113.9")).toBe("203.0.113.9");
});

test("each trusted proxy accounts for one entry from the right", () => {
  const claimed = "6.6.6.6, 203.0.113.9, 10.0.0.2";
  expect(seen("10.0.0.1", claimed, 1)).toBe("10.0.0.2");
  expect(seen("10.0.0.1", claimed, 2)).toBe("203.0.113.9");
  expect(seen("10.0.0.1", "6.6.6.6, 203.0.113.9", 1)).toBe("203.0.113.9");
});

test("a request that has not passed every proxy counts by its socket's address", () => {
  expect(seen("198.51.100.7", "6.6.6.6", 2)).toBe("198.51.100.7");
  expect(seen("198.51.100.7", "6.6.6.6, 7.7.7.7", 5)).toBe("198.51.100.7");
  expect(seen("198.51.100.7", undefined, 1)).toBe("198.51.100.7");
  expect(seen("198.51.100.7", " , 6.6.6.6", 2)).toBe("198.51.100.7");
});

test("an invalid address is ignored", () => {
  expect(seen("10.0.0.1", "unknown", 1)).toBe("10.0.0.1");
  expect(seen("10.0.0.1", "", 1)).toBe("10.0.0.1");
  expect(seen(null, "1.2.3.4")).toBe("unknown");
});

test("ports, brackets and zones are taken off", () => {
  const forwarded = (text: string) => seen("10.0.0.1", text, 1);
  expect(forwarded("203.0.113.9:4711")).toBe("203.0.113.9");
  expect(forwarded("[2001:db8::1]:4711")).toBe("2001:db8:0:0::/64");
  expect(forwarded("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});

test("all addresses of an IPv6 /64 network count as one", () => {
  expect(ipNetwork("2001:db8:0:1::5")).toBe("2001:db8:0:1::/64");
  expect(ipNetwork("2001:0db8:0000:0001:ffff:ffff:ffff:ffff")).toBe("2001:db8:0:1::/64");
  expect(ipNetwork("::1")).toBe("0:0:0:0::/64");
  expect(ipNetwork("203.0.113.9")).toBe("203.0.113.9");
});

test("only server.mjs says who is at the other end of the connection", () => {
  const headers = new Headers({ "x-shop-peer": "127.0.0.1 local" });
  expect(isFromThisMachine(headers)).toBe(true);
  expect(networkOf({ headers })).toBe("127.0.0.1");
  delete process.env.SHOP_SERVER;
  expect(isFromThisMachine(headers)).toBe(false);
  expect(networkOf({ headers })).toBe("unknown");
  process.env.SHOP_SERVER = "1";
});
