import { expect, test } from "@playwright/test";
import { pageAfterAddition } from "@/lib/cart/after-login";
import { additionOf } from "@/lib/cart/pending-add";

test("a remembered product counts only if the cart could take it", () => {
  expect(additionOf({ productId: 7, quantity: 2, at: 1, x: "y" })).toEqual({
    productId: 7,
    quantity: 2,
  });
  for (const crafted of [
    {},
    { productId: 7 },
    { quantity: 1 },
    { productId: "7", quantity: 1 },
    { productId: 7, quantity: "1" },
    { productId: 7, quantity: 0 },
    { productId: 7, quantity: 100 },
    { productId: 7, quantity: 1.5 },
    { productId: 0, quantity: 1 },
    { productId: -7, quantity: 1 },
    { productId: 2 ** 31, quantity: 1 },
    { productId: Number.NaN, quantity: 1 },
    { productId: ["7"], quantity: 1 },
    { productId: "/../account", quantity: 1 },
  ])
    expect(additionOf(crafted), JSON.stringify(crafted)).toBeNull();
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
