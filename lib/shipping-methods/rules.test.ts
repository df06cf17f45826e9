import { expect, test } from "@playwright/test";
import {
  DEFAULT_ZONES,
  type Destinations,
  deliveryOffer,
  deliveryPromise,
  destinationsText,
  goesTo,
  missingToFree,
  offersFor,
  parcelOf,
  type ShippedGoods,
  shippingLines,
  shippingPriceOf,
  type Tariff,
} from "@/lib/shipping-methods/rules";

const tariff = (values: Partial<Tariff & Destinations> = {}) => ({
  priceCents: 490,
  freeFromCents: null,
  bands: [],
  zones: DEFAULT_ZONES,
  postalCodes: [],
  ...values,
});

const good = (
  unitPriceCents: number,
  vatRateBp = 2000,
  values: Partial<ShippedGoods> = {},
): ShippedGoods => ({ productType: "physical", quantity: 1, unitPriceCents, vatRateBp, ...values });

test("only physical products are sent, with their value and weight", () => {
  const lamp = { type: "physical", quantity: 2, priceCents: 1990, weight: 700 } as const;
  const card = { type: "physical", quantity: 3, priceCents: 100, weight: null } as const;
  const file = { type: "digital", quantity: 1, priceCents: 5000, weight: null } as const;
  const gone = { type: null, quantity: 1, priceCents: 7000, weight: null } as const;
  expect(parcelOf([lamp, card, file, gone])).toEqual({ goodsCents: 4280, grams: 1400 });
  expect(parcelOf([file, gone])).toBeNull();
  expect(parcelOf([])).toBeNull();
});

test("the price is that of the first band that includes the weight", () => {
  const method = tariff({
    bands: [
      { maxGrams: 2000, priceCents: 900 },
      { maxGrams: 500, priceCents: 400 },
    ],
  });
  const priceOf = (grams: number) => shippingPriceOf(method, { goodsCents: 0, grams });
  expect([0, 500, 501, 2000, 2001].map(priceOf)).toEqual([400, 400, 900, 900, null]);
  // Without bands there is one price for any weight.
  expect(shippingPriceOf(tariff(), { goodsCents: 1, grams: 999_999 })).toBe(490);
});

test("above its amount a method is free, but still limited to its maximum weight", () => {
  const method = tariff({ freeFromCents: 5000, bands: [{ maxGrams: 1000, priceCents: 900 }] });
  expect(shippingPriceOf(method, { goodsCents: 4999, grams: 10 })).toBe(900);
  expect(shippingPriceOf(method, { goodsCents: 5000, grams: 10 })).toBe(0);
  expect(shippingPriceOf(method, { goodsCents: 5000, grams: 1001 })).toBeNull();
});

test("the cheapest that can carry the parcel to its destination comes first", () => {
  const methods = [
    { id: 1, ...tariff({ priceCents: 900, zones: ["mainland", "corsica"] }) },
    { id: 2, ...tariff({ priceCents: 400 }) },
    { id: 3, ...tariff({ bands: [{ maxGrams: 100, priceCents: 1 }] }) },
    { id: 4, ...tariff({ priceCents: 400 }) },
    { id: 5, ...tariff({ priceCents: 2900, zones: ["reunion"] }) },
  ];
  const idsTo = (postalCode?: string) =>
    offersFor(methods, { goodsCents: 1000, grams: 200 }, postalCode).map(({ id }) => id);
  expect(idsTo()).toEqual([2, 4, 1, 5]);
  expect(idsTo("69003")).toEqual([2, 4, 1]);
  expect(idsTo("20000")).toEqual([1]);
  expect(idsTo("97400")).toEqual([5]);
  expect(idsTo("98800")).toEqual([]);
});

test("a method serves its zones, and its additional postal codes", () => {
  const places = ["69003", "20000", "97400", "97133", "98000", "00805", "99123", "69003-0001", ""];
  const served = (destinations: Partial<Destinations>) =>
    places.filter((code) => goesTo({ zones: [], postalCodes: [], ...destinations }, code));
  expect(served({ zones: DEFAULT_ZONES })).toEqual(["69003", "69003-0001"]);
  expect(served({ zones: ["corsica", "reunion"] })).toEqual(["20000", "97400"]);
  expect(served({ zones: ["guadeloupe"] })).toEqual([]);
  expect(served({ postalCodes: ["971", "99"] })).toEqual(["97133", "99123"]);
  expect(served({ zones: ["army"], postalCodes: ["69003"] })).toEqual([
    "69003",
    "00805",
    "69003-0001",
  ]);
  expect(destinationsText({ zones: ["mainland", "army"], postalCodes: ["974"] })).toBe(
    "France continentale, Poste aux armées, 974",
  );
});

test("the amount missing to free shipping is given until one method is free", () => {
  const missing = (methods: readonly ReturnType<typeof tariff>[], goodsCents: number) => {
    const parcel = { goodsCents, grams: 0 };
    return missingToFree(offersFor(methods, parcel), parcel);
  };
  const methods = [tariff({ freeFromCents: 9000 }), tariff({ freeFromCents: 5000 }), tariff()];
  expect(missing(methods, 4200)).toBe(800);
  expect(missing(methods, 5000)).toBeNull();
  expect(missing([tariff()], 100)).toBeNull();
  expect(missing([tariff({ priceCents: 0, freeFromCents: 5000 })], 100)).toBeNull();
  expect(missing([], 100)).toBeNull();
});

test("products of one rate give one shipping line", () => {
  const goods = [good(1000), good(99)];
  expect(shippingLines({ name: "Colissimo", priceCents: 490, goods })).toEqual([
    {
      kind: "shipping",
      name: "Livraison – Colissimo",
      quantity: 1,
      unitPriceCents: 490,
      vatRateBp: 2000,
    },
  ]);
});

const file = { productType: "digital" } as const;
for (const [name, priceCents, goods, lines] of [
  [
    "in proportion, highest rate first",
    600,
    [good(1000, 550), good(1000, 2000, { quantity: 2 })],
    "2000: 400, 550: 200",
  ],
  [
    "with the cent that is left at the highest rate, if the remainders are equal",
    100,
    [good(10, 210), good(10, 550), good(10, 2000)],
    "2000: 34, 550: 33, 210: 33",
  ],
  // Exact shares: 1.9 and 8.1.
  [
    "with the cent that is left at the largest remainder",
    10,
    [good(19, 2000), good(81, 550)],
    "2000: 2, 550: 8",
  ],
  ["without a line of 0 €", 1, [good(10, 550), good(10, 2000)], "2000: 1"],
  ["without files", 490, [good(100_000, 2000, file), good(100, 550)], "550: 490"],
  ["if free, at the rate with the highest value", 0, [good(10, 2000), good(20, 550)], "550: 0"],
  ["if free, at the highest rate of equal values", 0, [good(10, 2000), good(10, 550)], "2000: 0"],
  ["without VAT", 490, [good(1000, 0)], "0: 490"],
  ["equally, without prices", 491, [good(0, 2000), good(0, 550)], "2000: 246, 550: 245"],
  ["of files, if the objects were removed", 490, [good(1000, 550, file)], "550: 490"],
  ["of no goods", 490, [], "2000: 490"],
] as const)
  test(`rates share the price ${name}`, () => {
    const split = shippingLines({ name: "Colis", priceCents, goods });
    const parts = split.map(({ vatRateBp, unitPriceCents }) => `${vatRateBp}: ${unitPriceCents}`);
    expect(parts.join(", ")).toBe(lines);
  });

test("whatever the amounts, the lines add up to the cent and stay in proportion", () => {
  const wrong: unknown[] = [];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const rates = [2000, 1000, 550, 210, 0];
  for (let round = 0; round < 2_000; round++) {
    const goods = Array.from({ length: 1 + random(8) }, () =>
      good(random(1_000_000), rates[random(5)], { quantity: 1 + random(99) }),
    );
    const priceCents = random(100_000);
    const lines = shippingLines({ name: "X", priceCents, goods });
    const value = (only?: number) =>
      goods
        .filter(({ vatRateBp }) => only === undefined || vatRateBp === only)
        .reduce((sum, each) => sum + each.quantity * each.unitPriceCents, 0);
    const isExact = lines.reduce((sum, each) => sum + each.unitPriceCents, 0) === priceCents;
    const isFair = lines.every(({ vatRateBp, unitPriceCents }) => {
      const exact = value() === 0 ? unitPriceCents : (priceCents * value(vatRateBp)) / value();
      return Math.abs(unitPriceCents - exact) < 1;
    });
    if (!isExact || !isFair) wrong.push({ goods, priceCents, lines });
  }
  expect(wrong).toEqual([]);
});

test("a product's page promises the cheapest delivery, and from when it is free", () => {
  const method = (values: Parameters<typeof tariff>[0]) => ({ ...tariff(values), delay: "" });
  const promise = (...methods: ReturnType<typeof method>[]) =>
    deliveryPromise(methods, { goodsCents: 4000, grams: 900 });
  const relay = method({ priceCents: 390 });
  const freeFrom = (freeFromCents: number) => ({
    ...method({ priceCents: 590, freeFromCents }),
    delay: "3 jours",
  });
  expect(promise()).toBeNull();
  expect(promise(freeFrom(6000), relay)).toEqual({
    priceCents: 390,
    freeFromCents: 6000,
    delay: "",
  });
  expect(promise(freeFrom(4000), relay)).toEqual({
    priceCents: 0,
    freeFromCents: null,
    delay: "3 jours",
  });
  expect(promise(method({ bands: [{ maxGrams: 500, priceCents: 200 }] }))).toBeNull();
  const corsican = method({ priceCents: 300, zones: ["corsica"] });
  expect(promise(corsican, relay)?.priceCents).toBe(390);
  expect(promise(corsican)?.priceCents).toBe(300);
});

test("the offer names the lowest price with the delay of its method, and from when one is free", () => {
  const method = (delay: string, values: Parameters<typeof tariff>[0]) => ({
    ...tariff(values),
    delay,
  });
  const letter = method("4 jours", { bands: [{ maxGrams: 250, priceCents: 290 }] });
  const parcel = method("2 jours", { priceCents: 590, freeFromCents: 6000 });
  const express = method("1 jour", { priceCents: 990, freeFromCents: 9000 });
  const corsica = method("6 jours", { priceCents: 100, freeFromCents: 100, zones: ["corsica"] });
  expect(deliveryOffer([express, parcel, letter, corsica])).toEqual({
    fromCents: 290,
    freeFromCents: 6000,
    delay: "4 jours",
  });
  expect(deliveryOffer([letter, corsica])).toEqual({
    fromCents: 290,
    freeFromCents: null,
    delay: "4 jours",
  });
  // An offer that is free needs no amount.
  for (const free of [{ priceCents: 0 }, { freeFromCents: 0 }])
    expect(deliveryOffer([parcel, method("", free)])).toEqual({
      fromCents: 0,
      freeFromCents: null,
      delay: "",
    });
  // A shop that does not go to the mainland has none.
  expect(deliveryOffer([corsica])).toBeNull();
});
