import { expect, test } from "@playwright/test";
import type { CheckoutLine, CheckoutShipping } from "@/db/schema/checkout";
import { fingerprintOf, nextCheckDelay, totalOf } from "@/lib/checkout/rules";

const fingerprint = (
  lines: readonly CheckoutLine[],
  shipping: CheckoutShipping | null = null,
): string => fingerprintOf({ lines, shipping });

const line = (values: Partial<CheckoutLine> = {}): CheckoutLine => ({
  cartItemId: 1,
  productId: 7,
  productType: "physical",
  name: "Lampe",
  image: null,
  unitPriceCents: 1990,
  vatRateBp: 2000,
  quantity: 2,
  downloadLink: null,
  ...values,
});

test("a total counts every piece", () => {
  expect(totalOf([])).toBe(0);
  expect(totalOf([line(), line({ unitPriceCents: 1, quantity: 3 })])).toBe(3983);
});

test("the fingerprint of a cart does not depend on order, names or pictures", () => {
  const [a, b] = [line(), line({ productId: 8, unitPriceCents: 5 })];
  const print = fingerprint([a, b]);
  expect(fingerprint([b, a])).toBe(print);
  expect(fingerprint([line({ name: "Autre", image: "x.webp", cartItemId: 9 }), b])).toBe(print);
});

test("the fingerprint changes with product, quantity, price and VAT", () => {
  const others = [
    line({ productId: 8 }),
    line({ quantity: 3 }),
    line({ unitPriceCents: 1991 }),
    line({ vatRateBp: 550 }),
  ];
  const prints = [line(), ...others].map((each) => fingerprint([each]));
  expect(new Set([...prints, fingerprint([]), fingerprint([line(), line()])]).size).toBe(7);
});

test("pending checkouts are checked with growing delays", () => {
  expect([0, 60, 600, 7200, 90_000].map(nextCheckDelay)).toEqual([60, 60, 300, 3600, 3600]);
});
