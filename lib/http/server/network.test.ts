import { expect, test } from "@playwright/test";
import { clientIp, networkOf, PEER_HEADER } from "@/lib/http/server/network";

const headers = (peer: string | null, forwarded?: string) =>
  new Headers({
    ...(peer !== null && { [PEER_HEADER]: peer }),
    ...(forwarded !== undefined && { "x-forwarded-for": forwarded }),
  });

test("without a proxy the socket decides, whatever the client claims", () => {
  expect(clientIp(headers("203.0.113.9", "1.2.3.4"), 0)).toBe("203.0.113.9");
  expect(clientIp(headers("::ffff:203.0.113.9"), 0)).toBe("203.0.113.9");
  expect(clientIp(headers("2001:db8::1"), 0)).toBe("2001:db8::1");
});

test("each believed proxy accounts for one entry from the right", () => {
  const claimed = headers("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2");
  expect(clientIp(claimed, 1)).toBe("10.0.0.2");
  expect(clientIp(claimed, 2)).toBe("203.0.113.9");
  expect(clientIp(headers("10.0.0.1", "6.6.6.6, 203.0.113.9"), 1)).toBe("203.0.113.9");
});

test("a request that has not come through every proxy counts by its socket", () => {
  expect(clientIp(headers("198.51.100.7", "6.6.6.6"), 2)).toBe("198.51.100.7");
  expect(clientIp(headers("198.51.100.7", "6.6.6.6, 7.7.7.7"), 5)).toBe("198.51.100.7");
  expect(clientIp(headers("198.51.100.7"), 1)).toBe("198.51.100.7");
  expect(networkOf({ headers: headers("198.51.100.7", " , 6.6.6.6") }, 2)).toBe("198.51.100.7");
});

test("what is no address is not taken for one", () => {
  expect(clientIp(headers("10.0.0.1", "unknown"), 1)).toBe("10.0.0.1");
  expect(clientIp(headers("10.0.0.1", ""), 1)).toBe("10.0.0.1");
  expect(clientIp(headers(null, "1.2.3.4"), 0)).toBe("unknown");
});

test("ports, brackets and zones are taken off", () => {
  const forwarded = (text: string) => clientIp(headers("10.0.0.1", text), 1);
  expect(forwarded("203.0.113.9:4711")).toBe("203.0.113.9");
  expect(forwarded("[2001:db8::1]:4711")).toBe("2001:db8::1");
  expect(forwarded("fe80::1%eth0")).toBe("fe80::1");
});

test("an IPv6 subscriber counts as one", () => {
  expect(networkOf({ headers: headers("2001:db8:0:1::5") }, 0)).toBe("2001:db8:0:1::/64");
  expect(networkOf({ headers: headers("2001:0db8:0000:0001:ffff:ffff:ffff:ffff") }, 0)).toBe(
    "2001:db8:0:1::/64",
  );
  expect(networkOf({ headers: headers("::1") }, 0)).toBe("0:0:0:0::/64");
  expect(networkOf({ headers: headers("203.0.113.9") }, 0)).toBe("203.0.113.9");
});
