import { expect, test } from "@playwright/test";
import { API_INDEX } from "@/app/api";
import { endpointFinder } from "@/lib/http/server/api-call";

const findEndpoint = endpointFinder(API_INDEX);
const indexed = Object.values(API_INDEX).flatMap((routes) => Object.entries(routes));

test("every path finds its own endpoint", () => {
  for (const [path, handlers] of indexed) {
    const found = findEndpoint(path.replace(/\{\w+\}/g, "12"));
    expect(found?.path).toBe(path);
    for (const [verb, handler] of Object.entries(handlers))
      expect(found?.handlers[verb as keyof typeof handlers], `${verb} ${path}`).toBe(handler);
  }
});

test("no path matches the pattern of two endpoints", () => {
  for (const [path] of indexed) {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    expect(
      indexed.map(([other]) => other).filter((other) => pattern.test(other)),
      path,
    ).toEqual([path]);
  }
});

test("parameters are decoded", () => {
  expect(findEndpoint("/api/products/34")?.params).toEqual({ id: "34" });
  expect(findEndpoint("/api/verify-email/a%2Fb%20%C3%A9")?.params).toEqual({ token: "a/b é" });
  expect(findEndpoint("/api/admin/history/product/7")?.params).toEqual({
    entity: "product",
    id: "7",
  });
});

for (const path of [
  "/api/",
  "/api/products/",
  "/api/products//",
  "/api/products/34/",
  "/api/Products",
  "/api/%70roducts",
  "/api/docsXjson",
  "/api/constructor",
  "/api/auth/session",
  "/api/too-busy",
])
  test(`${path} is no endpoint`, () => {
    expect(findEndpoint(path)).toBeNull();
  });
