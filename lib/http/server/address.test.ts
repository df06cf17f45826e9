import { expect, test } from "@playwright/test";
import { ignoreBody, NO_PAGE, problemOf, toOriginForm } from "@/lib/http/server/address";

test("broken percent-encoding is refused", () => {
  for (const url of [
    "/api/products/%E0%A4%A",
    "/api/products?search=50%",
    "/api/%",
    "/api/x?a=%C3",
  ])
    expect(problemOf({ method: "GET", url }), url).toBe("address");
  expect(problemOf({ method: "GET", url: "/product/%E0%A4%A" })).toBe("address");
  for (const url of ["/api/products?search=caf%C3%A9", "/products?search=50%", "/api/a%2Fb%00"])
    expect(problemOf({ method: "GET", url }), url).toBeNull();
});

test("paths with .. or . segments are refused", () => {
  for (const url of ["/api/../api/users", "/api/./users", "/api/..", "/api/a/..?b=1"])
    expect(problemOf({ method: "GET", url }), url).toBe("address");
  expect(problemOf({ method: "GET", url: "/x/../api/users" })).toBe("address");
  for (const url of ["/.well-known/security.txt", "/images/a..b.png", "/products?search=/../a"])
    expect(problemOf({ method: "GET", url }), url).toBeNull();
});

test("other spellings of a page's path are refused", () => {
  for (const url of [
    "/products#x",
    "/sitemap.xml#",
    "/api#x",
    "/site/%66r/search?search=a",
    "/site/en",
    "/unavailable",
    "/unavailable.rsc?_rsc=1",
  ])
    expect(problemOf({ method: "GET", url }), url).toBe("address");
  for (const url of ["/site/fr", "/site/fr/cart", "/products?search=%23", "/unavailable-page"])
    expect(problemOf({ method: "GET", url }), url).toBeNull();
});

test("a request target that is no path is refused", () => {
  for (const url of ["*", "ftp://exemple.fr/products", "products"])
    expect(problemOf({ method: "GET", url }), url).toBe("address");
});

test("an absolute URL is reduced to its path, and sets the host", () => {
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

test("a page ignores the body of a POST, and other methods with a body are refused", () => {
  const seen = (method: string, url: string, headers = {}) => {
    const request = { method, url, headers };
    ignoreBody(request);
    return `${request.method} ${request.url}`;
  };
  expect(seen("POST", "/products")).toBe("GET /products");
  expect(seen("POST", "/login", { "content-length": "9000000" })).toBe("GET /login");
  for (const headers of [{ "content-length": "1" }, { "transfer-encoding": "chunked" }])
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"])
      expect(seen(method, "/cart", headers), method).toBe(`GET ${NO_PAGE}`);
  expect(seen("PUT", "/cart", { "content-length": "0" })).toBe("PUT /cart");
});

test("methods that Next.js cannot serve are refused", () => {
  for (const method of ["TRACE", "PROPFIND", "CONNECT"])
    expect(problemOf({ method, url: "/api/products" }), method).toBe("method");
  expect(problemOf({ method: "DELETE", url: "/api/products/1" })).toBeNull();
});
