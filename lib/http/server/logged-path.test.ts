import { expect, test } from "@playwright/test";
import { loggedPath } from "@/lib/http/server/logged-path";

test("the log contains the path of a request", () => {
  expect(loggedPath("/")).toBe("/");
  expect(loggedPath("/api/orders/17")).toBe("/api/orders/17");
  expect(loggedPath("http://127.0.0.1:3000/api/my-orders?page=2")).toBe("/api/my-orders");
  expect(loggedPath("/order/3f0c1b1e-6f0a-4b1c-9a53-0d9b4a6c1e2f/confirmation")).toBe(
    "/order/3f0c1b1e-6f0a-4b1c-9a53-0d9b4a6c1e2f/confirmation",
  );
});

test("the log contains no token, name or search of a path", () => {
  expect(loggedPath(`/reset-password/${"0f".repeat(32)}`)).toBe("/reset-password/…");
  expect(loggedPath("/api/verify-email/kX9fQ2mZ-0123456789_abcdefghijklmnopqrstuvw")).toBe(
    "/api/verify-email/…",
  );
  expect(loggedPath("/camille@exemple.fr")).toBe("/…");
  expect(loggedPath("/camille%40exemple.fr/x")).toBe("/…/x");
  expect(loggedPath("/catalogue?search=cadeau+pour+camille")).toBe("/catalogue");
  expect(loggedPath("/downloads/4/guide.pdf?signature=abc#page")).toBe("/downloads/4/guide.pdf");
});

test("a long path is cut in the log", () => {
  expect(loggedPath("/a".repeat(5_000)).length).toBe(200);
});
