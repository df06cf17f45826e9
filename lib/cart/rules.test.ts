import { expect, test } from "@playwright/test";
import { type CartItemJson, canCheckOut, cartTotals, itemTotals } from "@/lib/cart/rules";

const item = (given: Partial<CartItemJson> & { price?: number }): CartItemJson => ({
  id: 1,
  quantity: 1,
  product: {
    id: 7,
    productType: "physical",
    name: "Lampe",
    image: null,
    price: given.price ?? 10,
  },
  available: true,
  left: null,
  previousPrice: null,
  ...given,
});

test("totals are exact, whatever the cents", () => {
  expect(cartTotals([])).toEqual({ pieces: 0, totalCents: 0 });
  // 0.1 + 0.2 and 3 × 1.15 are not what floating point says they are.
  expect(itemTotals([item({ price: 0.1 }), item({ price: 0.2 })])).toEqual({
    pieces: 2,
    totalCents: 30,
  });
  expect(itemTotals([item({ price: 1.15, quantity: 3 })])).toEqual({ pieces: 3, totalCents: 345 });
  const dearest = { quantity: 99, priceCents: 2_147_483_647, isAvailable: true };
  expect(cartTotals(Array(100).fill(dearest)).totalCents).toBe(21_260_088_105_300);
});

test("a product that left the shop counts for nothing and stops the checkout", () => {
  const gone = item({ quantity: 5, available: false });
  expect(itemTotals([gone, item({ quantity: 2 })])).toEqual({ pieces: 2, totalCents: 2000 });
  expect(canCheckOut([gone, item({})])).toBe(false);
  expect(canCheckOut([item({ available: true }), item({})])).toBe(true);
  expect(canCheckOut([])).toBe(false);
});
