import { expect, test } from "@playwright/test";
import { clientIp, clientNetwork, PEER_HEADER } from "@/lib/http/server/client-ip";
import {
  ignoreBodyForPage,
  REFUSALS,
  sanitizeRequest,
  toOriginForm,
} from "@/lib/http/server/incoming";
import { LOCAL_HEADER } from "@/lib/http/server/local-peer";

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
  expect(clientNetwork(headers("198.51.100.7", " , 6.6.6.6"), 2)).toBe("198.51.100.7");
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
  expect(clientNetwork(headers("2001:db8:0:1::5"), 0)).toBe("2001:db8:0:1::/64");
  expect(clientNetwork(headers("2001:0db8:0000:0001:ffff:ffff:ffff:ffff"), 0)).toBe(
    "2001:db8:0:1::/64",
  );
  expect(clientNetwork(headers("::1"), 0)).toBe("0:0:0:0::/64");
  expect(clientNetwork(headers("203.0.113.9"), 0)).toBe("203.0.113.9");
});

function prepared(request: { method?: string; url: string; headers?: Record<string, string> }) {
  const incoming = {
    method: "GET",
    headers: {},
    socket: { remoteAddress: "203.0.113.9" },
    ...request,
  };
  sanitizeRequest(incoming);
  return incoming;
}

test("the socket's address overwrites what the client sent in its place", () => {
  const forged = { [PEER_HEADER]: "6.6.6.6", [LOCAL_HEADER]: "1" };
  const { headers } = prepared({ url: "/api/products", headers: forged });
  expect(headers).toEqual({ [PEER_HEADER]: "203.0.113.9" });
});

test("broken percent-encoding is led away", () => {
  for (const url of [
    "/api/products/%E0%A4%A",
    "/api/products?search=50%",
    "/api/%",
    "/api/x?a=%C3",
  ])
    expect(prepared({ url }).url, url).toBe(`/api/${REFUSALS.malformed}`);
  expect(prepared({ url: "/product/%E0%A4%A" }).url).toBe(`/${REFUSALS.malformed}`);
  for (const url of ["/api/products?search=caf%C3%A9", "/products?search=50%", "/api/a%2Fb%00"])
    expect(prepared({ url }).url, url).toBe(url);
});

test("paths that climb are led away: what is asked of an address is asked of where it leads", () => {
  for (const url of ["/api/../api/users", "/api/./users", "/api/..", "/api/a/..?b=1"])
    expect(prepared({ url }).url, url).toBe(`/api/${REFUSALS.malformed}`);
  expect(prepared({ url: "/x/../api/users" }).url).toBe(`/${REFUSALS.malformed}`);
  for (const url of ["/.well-known/security.txt", "/images/a..b.png", "/products?search=/../a"])
    expect(prepared({ url }).url, url).toBe(url);
});

test("other spellings of a page's address are led away", () => {
  for (const url of [
    "/products#x",
    "/sitemap.xml#",
    "/api#x",
    "/site/%66r/search?search=a",
    "/site/en",
  ])
    expect(prepared({ url }).url, url).toBe(`/${REFUSALS.malformed}`);
  for (const url of ["/site/fr", "/site/fr/cart", "/products?search=%23"])
    expect(prepared({ url }).url, url).toBe(url);
});

test("what is no path is led away", () => {
  for (const url of ["*", "ftp://exemple.fr/products", "products"])
    expect(prepared({ url }).url, url).toBe(`/${REFUSALS.malformed}`);
});

test("of a whole address the path is taken, and the host", () => {
  const taken = (url: string) => {
    const request = { url, headers: { host: "autre.fr" } };
    toOriginForm(request);
    return [request.url, request.headers.host];
  };
  expect(taken("http://exemple.fr:4105/api/products?a=b")).toEqual([
    "/api/products?a=b",
    "exemple.fr:4105",
  ]);
  expect(taken("HTTPS://[::1]:443?a")).toEqual(["/?a", "[::1]:443"]);
  expect(taken("http://exemple.fr")).toEqual(["/", "exemple.fr"]);
  for (const url of ["/http://exemple.fr/", "*", "http://a@exemple.fr/", "http://", "//exemple.fr"])
    expect(taken(url), url).toEqual([url, "autre.fr"]);
});

test("a page takes no body: Next.js would render it for a form, and keep what is sent", () => {
  const seen = (method: string, url: string, headers = {}) => {
    const request = { method, url, headers };
    ignoreBodyForPage(request);
    return `${request.method} ${request.url}`;
  };
  expect(seen("POST", "/products")).toBe("GET /products");
  expect(seen("POST", "/login", { "content-length": "9000000" })).toBe("GET /login");
  for (const headers of [{ "content-length": "1" }, { "transfer-encoding": "chunked" }])
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"])
      expect(seen(method, "/cart", headers), method).toBe(`GET /${REFUSALS.method}`);
  expect(seen("PUT", "/cart", { "content-length": "0" })).toBe("PUT /cart");
  expect(seen("POST", "/api/contact", { "content-length": "9" })).toBe("POST /api/contact");
});

test("methods that Next.js cannot serve are led away", () => {
  for (const method of ["TRACE", "PROPFIND", "CONNECT"])
    expect(prepared({ method, url: "/api/products" })).toMatchObject({
      method: "POST",
      url: `/api/${REFUSALS.method}`,
    });
  expect(prepared({ method: "DELETE", url: "/api/products/1" })).toMatchObject({
    method: "DELETE",
    url: "/api/products/1",
  });
});
