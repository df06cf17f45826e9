import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { ipNetwork, isFromThisMachine, networkOf } from "@/lib/http/server/network";

/** The network that the shop takes a request for, which the socket says to come from `peer`. */
function seen(peer: string | null, forwarded: string | undefined, proxies: number): string {
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

test("each trusted proxy accounts for one entry from the right; without all of them the socket counts", () => {
  for (const [peer, forwarded, proxies, network] of [
    ["203.0.113.9", "1.2.3.4", 0, "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, 0, "203.0.113.9"],
    ["10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", 1, "10.0.0.2"],
    ["10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"],
    // It has not passed every proxy.
    ["198.51.100.7", undefined, 1, "198.51.100.7"],
    ["198.51.100.7", "6.6.6.6", 2, "198.51.100.7"],
    ["198.51.100.7", " , 6.6.6.6", 2, "198.51.100.7"],
    ["198.51.100.7", "6.6.6.6, 7.7.7.7", 5, "198.51.100.7"],
    // No address.
    ["10.0.0.1", "unknown", 1, "10.0.0.1"],
    ["10.0.0.1", "", 1, "10.0.0.1"],
    [null, "1.2.3.4", 0, "unknown"],
    // Ports, brackets and zones are taken off.
    ["10.0.0.1", "203.0.113.9:4711", 1, "203.0.113.9"],
    ["10.0.0.1", "[2001:db8::1]:4711", 1, "2001:db8:0:0::/64"],
    ["10.0.0.1", "fe80::1%eth0", 1, "fe80:0:0:0::/64"],
  ] as const)
    expect(seen(peer, forwarded, proxies), `${forwarded}, ${proxies}`).toBe(network);
});

test("all addresses of an IPv6 /64 network count as one", () => {
  expect(ipNetwork("2001:db8:0:1::5")).toBe("2001:db8:0:1::/64");
  expect(ipNetwork("2001:0db8:0000:0001:ffff:ffff:ffff:ffff")).toBe("2001:db8:0:1::/64");
  expect(ipNetwork("::1")).toBe("0:0:0:0::/64");
});

test("only server.mjs says who is at the other end of the connection", () => {
  const headers = new Headers({ "x-shop-peer": "127.0.0.1 local" });
  const found = () => [isFromThisMachine(headers), networkOf({ headers })];
  expect(found()).toEqual([true, "127.0.0.1"]);
  delete process.env.SHOP_SERVER;
  expect(found()).toEqual([false, "unknown"]);
  process.env.SHOP_SERVER = "1";
});
