import { expect, test } from "@playwright/test";
import type { ProductType } from "@/lib/shop/product-type";
import { hasVatAt, type VatPlace, vatNotesAt, vatRateAt } from "./vat-of-place";
import { VAT_RATES } from "./vat-rates";

const at = (postalCode: string, isVatExempt = false): VatPlace => ({
  isVatExempt,
  shippingPostalCode: postalCode,
  billingPostalCode: postalCode,
});

/** Lines of these kinds, sold without VAT. */
const sold = (...types: ProductType[]) =>
  types.map((productType) => ({ productType, vatRateBp: 0 }));

/** The rates (percent) at a place for the mainland's 20, 10, 5.5, 2.1 and 0 %. */
const ratesAt = (place: VatPlace, productType: ProductType) =>
  [...VAT_RATES.values()].map((vatRateBp) => vatRateAt(place, { vatRateBp, productType }) / 100);

const MAINLAND = [20, 10, 5.5, 2.1, 0];
const CORSICA = [20, 2.1, 2.1, 2.1, 0];
const OVERSEAS = [8.5, 2.1, 2.1, 1.05, 0];
const NONE = [0, 0, 0, 0, 0];

const GUIANA_AND_MAYOTTE = "TVA non applicable en Guyane et à Mayotte, art. 294, 1 du CGI";
const EXPORT = "Exonération de TVA, art. 262, I, 1° du CGI";
const ABROAD = "TVA non applicable, art. 259 D du CGI";

/** Postal code and town, rates, and the notes on an invoice of objects and on one of files. */
const CASES: readonly [string, string, number[], string[], string[]][] = [
  ["69003", "Lyon", MAINLAND, [], []],
  ["20000", "Ajaccio", CORSICA, [], []],
  ["20600-0001", "Bastia", CORSICA, [], []],
  ["98000", "Monaco", MAINLAND, [], []],
  ["97110", "Pointe-à-Pitre", OVERSEAS, [], []],
  ["97200", "Fort-de-France", OVERSEAS, [], []],
  ["97400", "Saint-Denis", OVERSEAS, [], []],
  ["97300", "Cayenne", NONE, [GUIANA_AND_MAYOTTE], [GUIANA_AND_MAYOTTE]],
  ["97600", "Mamoudzou", NONE, [GUIANA_AND_MAYOTTE], [GUIANA_AND_MAYOTTE]],
  ["97133", "Saint-Barthélemy", NONE, [EXPORT], [ABROAD]],
  ["97150", "Saint-Martin", NONE, [EXPORT], [ABROAD]],
  ["97500", "Saint-Pierre", NONE, [EXPORT], [ABROAD]],
  ["98714", "Papeete", NONE, [EXPORT], [ABROAD]],
  ["98800", "Nouméa", NONE, [EXPORT], [ABROAD]],
  ["00805", "Armées", MAINLAND, [], []],
  ["99123", "a code of no place", MAINLAND, [], []],
];

for (const [code, name, rates, objectNotes, fileNotes] of CASES)
  test(`VAT at ${code}, ${name}`, () => {
    expect(ratesAt(at(code), "physical")).toEqual(rates);
    expect(ratesAt(at(code), "digital")).toEqual(rates);
    expect(hasVatAt(at(code), "physical")).toBe(rates !== NONE);
    expect(vatNotesAt(at(code), sold("physical", "physical"))).toEqual(objectNotes);
    expect(vatNotesAt(at(code), sold("digital"))).toEqual(fileNotes);
  });

test("a physical product is taxed at its delivery address, a file at the billing address", () => {
  const place = { ...at("97400"), billingPostalCode: "20000" };
  expect(ratesAt(place, "physical")).toEqual(OVERSEAS);
  expect(ratesAt(place, "digital")).toEqual(CORSICA);
  const abroad = { ...at("98800"), billingPostalCode: "97600" };
  expect(vatNotesAt(abroad, sold("digital", "physical", "digital"))).toEqual([
    GUIANA_AND_MAYOTTE,
    EXPORT,
  ]);
  // A line that was sold with VAT gets no note.
  expect(vatNotesAt(abroad, [{ productType: "physical", vatRateBp: 2000 }])).toEqual([]);
});

test("a seller outside VAT charges none anywhere, and says why in one sentence", () => {
  for (const [code] of CASES)
    for (const type of ["physical", "digital"] as const) {
      const place = at(code, true);
      expect(ratesAt(place, type)).toEqual(NONE);
      expect(hasVatAt(place, type)).toBe(false);
      expect(vatNotesAt(place, sold(type))).toEqual(["TVA non applicable, art. 293 B du CGI"]);
    }
});

test("a rate that France does not have stays as it is", () => {
  const odd = { vatRateBp: 1960, productType: "physical" } as const;
  for (const code of ["69003", "20000", "97400"]) expect(vatRateAt(at(code), odd)).toBe(1960);
});
