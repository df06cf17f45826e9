import { expect, test } from "@playwright/test";
import { isFromThisMachine } from "@/lib/http/server/local-peer";

const isLocal = ({
  from,
  to = "10.0.0.1",
  headers = {},
  proxies = 0,
}: {
  from: string | undefined;
  to?: string;
  headers?: Record<string, string>;
  proxies?: number;
}) => isFromThisMachine({ headers, socket: { remoteAddress: from, localAddress: to } }, proxies);

test("a browser on the shop's machine is local, by whichever of its addresses", () => {
  for (const from of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    expect(isLocal({ from }), from).toBe(true);
  expect(isLocal({ from: "192.168.1.5", to: "192.168.1.5" })).toBe(true);
});

test("another machine is not local, whatever it claims", () => {
  expect(isLocal({ from: "192.168.1.6", to: "192.168.1.5" })).toBe(false);
  expect(isLocal({ from: undefined })).toBe(false);
  expect(isLocal({ from: "192.168.1.6", headers: { "x-forwarded-for": "127.0.0.1" } })).toBe(false);
});

test("a request through a proxy on this machine is not local", () => {
  for (const name of ["x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "x-real-ip"])
    for (const value of ["127.0.0.1", "203.0.113.9"])
      expect(isLocal({ from: "127.0.0.1", headers: { [name]: value } }), name).toBe(false);
});

test("a trusted proxy says whether its client is local", () => {
  const local = (forwarded: string, proxies: number) =>
    isLocal({ from: "127.0.0.1", headers: { "x-forwarded-for": forwarded }, proxies });
  expect(local("127.0.0.1", 1)).toBe(true);
  expect(local("203.0.113.9", 1)).toBe(false);
  expect(local("127.0.0.1, 203.0.113.9", 1)).toBe(false);
  // Through one of two: nobody knows what the client has written.
  expect(local("127.0.0.1", 2)).toBe(false);
  expect(isLocal({ from: "127.0.0.1", headers: { via: "1.1 a" }, proxies: 1 })).toBe(false);
  expect(isLocal({ from: "127.0.0.1", proxies: 1 })).toBe(true);
});
