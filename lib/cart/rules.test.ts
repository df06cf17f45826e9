import { expect, test } from "@playwright/test";
import {
  type CartItemJson,
  canCheckOut,
  cartCentsBelowMinimum,
  cartTotals,
  freeShippingShare,
  hasVat,
  itemTotals,
  offersTo,
} from "@/lib/cart/rules";

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
  // In floating point, 0.1 + 0.2 and 3 × 1.15 are inexact.
  const [a, b, c] = [
    item({ price: 0.1 }),
    item({ price: 0.2 }),
    item({ price: 1.15, quantity: 3 }),
  ];
  expect(itemTotals([a, b])).toEqual({ pieces: 2, totalCents: 30 });
  expect(itemTotals([c])).toEqual({ pieces: 3, totalCents: 345 });
  const dearest = { quantity: 99, priceCents: 2_147_483_647, isAvailable: true };
  expect(cartTotals(Array(100).fill(dearest)).totalCents).toBe(21_260_088_105_300);
});

test("a deleted product counts for nothing and blocks the checkout", () => {
  const gone = item({ quantity: 5, available: false });
  expect(itemTotals([gone, item({ quantity: 2 })])).toEqual({ pieces: 2, totalCents: 2000 });
  expect(canCheckOut(unsent([gone, item({})]))).toBe(false);
  expect(canCheckOut(unsent([item({ available: true }), item({})]))).toBe(true);
  expect(canCheckOut(unsent([]))).toBe(false);
  expect(canCheckOut({ items: null, shipping: null })).toBe(false);
});

test("the share of free shipping counts objects that are for sale", () => {
  const file = item({ price: 500 });
  file.product.productType = "digital";
  const items = [
    item({ price: 20, quantity: 2 }),
    item({ price: 5 }),
    item({ price: 99, available: false }),
    file,
  ];
  expect(freeShippingShare({ items, missingToFree: 15 })).toBe(0.75);
  expect(freeShippingShare({ items: [file], missingToFree: 60 })).toBe(0);
});

const unsent = (items: CartItemJson[]) => ({ items, shipping: null });

test("a cart below the minimum of a card payment is missing the difference", () => {
  const sentFor = (...prices: number[]) => ({
    methods: prices.map((price, id) => ({ id, name: "Colis", delay: "", price })),
    missingToFree: null,
  });
  for (const [price, shipping, missing] of [
    [0, null, 0],
    [0.01, null, 49],
    [0.49, null, 1],
    [0.5, null, 0],
    [0.3, sentFor(), 20],
    [0.3, sentFor(0), 20],
    [0.3, sentFor(0.1), 10],
    // A more expensive method brings the total to the minimum.
    [0.3, sentFor(0, 4.9), 0],
    [0, sentFor(0.2), 30],
    [0, sentFor(0), 0],
  ] as const) {
    const cart = { items: [item({ price })], shipping };
    expect(cartCentsBelowMinimum(cart), JSON.stringify([price, shipping])).toBe(missing);
    expect(canCheckOut(cart)).toBe(missing === 0);
  }
});

test("the methods offered for an address are those that serve it", () => {
  const method = (id: number, zones: ("mainland" | "corsica")[], postalCodes: string[] = []) => ({
    ...{ id, name: "Colis", price: 4.9, delay: "" },
    ...{ zones, postalCodes },
  });
  const shipping = {
    methods: [method(1, ["mainland"]), method(2, ["mainland", "corsica"]), method(3, [], ["974"])],
    missingToFree: null,
    served: { zones: [], postalCodes: [] },
  };
  const idsAt = (postalCode: string) =>
    offersTo(shipping, { postalCode }).methods.map(({ id }) => id);
  expect(["69003", "20000", "97400", "98800"].map(idsAt)).toEqual([[1, 2], [2], [3], []]);
});

test("a cart has no VAT if none of its products has VAT at their places", () => {
  const file = item({
    product: { id: 8, productType: "digital", name: "Guide", image: null, price: 5 },
  });
  const vatAt = (items: CartItemJson[], shipping: string, billing: string, isVatExempt = false) =>
    hasVat({
      items,
      isVatExempt,
      shipping: { postalCode: shipping },
      billing: { postalCode: billing },
    });
  expect(vatAt([item({})], "97300", "69003")).toBe(false);
  expect(vatAt([item({}), file], "97300", "69003")).toBe(true);
  expect(vatAt([file], "69003", "97600")).toBe(false);
  expect(vatAt([item({})], "69003", "69003", true)).toBe(false);
  const unknown = { isVatExempt: false, shipping: undefined, billing: undefined };
  expect(hasVat({ items: [item({})], ...unknown })).toBe(true);
});
