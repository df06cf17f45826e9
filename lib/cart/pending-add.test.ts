import { expect, test } from "@playwright/test";
import { pageAfterAddition } from "@/lib/cart/after-login";
import { additionOf, takeAddition } from "@/lib/cart/pending-add";

test("a remembered product counts only if the cart could take it", () => {
  const given = { productId: 7, quantity: 2 };
  expect(additionOf({ ...given, at: 1, x: "y" })).toEqual(given);
  for (const productId of [undefined, "7", ["7"], "/../account", 0, -7, 1.5, 2 ** 31, Number.NaN])
    expect(additionOf({ ...given, productId }), String(productId)).toBeNull();
  for (const quantity of [undefined, "1", 0, 100, 1.5])
    expect(additionOf({ ...given, quantity }), String(quantity)).toBeNull();
});

test("a product is remembered for 24 hours, and taken once", () => {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  };
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  const takeAfter = (hours: number) => {
    const at = Date.now() - hours * 3_600_000;
    stored.set("pendingAdd", JSON.stringify({ productId: 7, quantity: 1, at }));
    return [takeAddition(), takeAddition()];
  };
  try {
    expect(takeAfter(23.9)).toEqual([{ productId: 7, quantity: 1 }, null]);
    expect(takeAfter(24.1)).toEqual([null, null]);
    expect(stored.size).toBe(0);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});

test("after an addition the cart opens, unless the visitor asked for a page of theirs", () => {
  const after = (returnTo: string, outcome: { failure?: string; isGone?: boolean } = {}) =>
    pageAfterAddition({
      returnTo,
      outcome: { productId: 7, quantity: 1, failure: null, isGone: false, ...outcome },
    });
  for (const page of ["/product/7?category=3", "/", "/products", "/cart", "/checkout"])
    expect(after(page), page).toBe("/cart");
  for (const page of ["/orders?commande=CMD-2026-000001", "/profile", "/backoffice/orders"]) {
    expect(after(page), page).toBe(page);
    expect(after(page, { failure: "Erreur" }), page).toBe(page);
  }
  // The reason is shown with the product, or in the cart if the product has no page any more.
  const failure = "Erreur lors de l'ajout au panier";
  expect(after("/product/7?category=3", { failure })).toBe("/product/7?category=3");
  expect(after("/product/77", { failure })).toBe("/product/7");
  expect(after("/", { failure })).toBe("/product/7");
  expect(after("/product/7", { failure, isGone: true })).toBe("/cart");
});
