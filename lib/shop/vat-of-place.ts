import { type PostalZone, postalZoneOf } from "@/lib/shop/postal-zones";
import type { ProductType } from "@/lib/shop/product-type";

// Objects are taxed at the place of delivery, files at the place where the buyer lives. Prices are the same
// everywhere and include VAT; only the share of VAT differs. Rates are basis points. docs/decisions/096
// says what the table assumes.

interface PlaceVat {
  /** The rates that differ from mainland France, by the mainland's rate; "none" for a place without VAT. */
  rates: ReadonlyMap<number, number> | "none";
  /** The articles of the Code général des impôts. */
  articles: string;
  /** The note that the law requires on an invoice without VAT, by product type. */
  notes?: Readonly<Record<ProductType, string>>;
}

const AS_ON_THE_MAINLAND = new Map<number, number>();

/** Food, books and plants. */
const CORSICA: PlaceVat = {
  rates: new Map([
    [1000, 210],
    [550, 210],
  ]),
  articles: "art. 297, I, 1, 2°",
};

/** The standard rate, the reduced one, and that of newspapers. */
const OVERSEAS: PlaceVat = {
  rates: new Map([
    [2000, 850],
    [1000, 210],
    [550, 210],
    [210, 105],
  ]),
  articles: "art. 296, 1° ; presse : art. 298 septies",
};

const NOT_APPLICABLE = "TVA non applicable en Guyane et à Mayotte, art. 294, 1 du CGI";

const OVERSEAS_WITHOUT_VAT: PlaceVat = {
  rates: "none",
  articles: "art. 294, 1",
  notes: { physical: NOT_APPLICABLE, digital: NOT_APPLICABLE },
};

const VAT_OF_PLACE: Readonly<Record<PostalZone, PlaceVat>> = {
  mainland: { rates: AS_ON_THE_MAINLAND, articles: "art. 278 à 281 nonies" },
  corsica: CORSICA,
  // Monaco and France are one VAT territory, by their tax convention of 18 May 1963.
  monaco: { rates: AS_ON_THE_MAINLAND, articles: "convention du 18 mai 1963, art. 15" },
  guadeloupe: OVERSEAS,
  martinique: OVERSEAS,
  reunion: OVERSEAS,
  guiana: OVERSEAS_WITHOUT_VAT,
  mayotte: OVERSEAS_WITHOUT_VAT,
  collectivities: {
    rates: "none",
    articles: "art. 262, I, 1° ; fichiers : art. 259 D",
    notes: {
      physical: "Exonération de TVA, art. 262, I, 1° du CGI",
      digital: "TVA non applicable, art. 259 D du CGI",
    },
  },
  army: { rates: AS_ON_THE_MAINLAND, articles: "art. 278 à 281 nonies" },
};

/** Every rate that some place has instead of the mainland's. */
export const PLACE_RATES: readonly number[] = Object.values(VAT_OF_PLACE).flatMap(({ rates }) =>
  rates === "none" ? [] : [...rates.values()],
);

/** The note on the invoices of a seller outside VAT. */
export const VAT_EXEMPT_NOTE = "TVA non applicable, art. 293 B du CGI";

/** The seller and the places that the VAT of a line depends on, besides its product. */
export interface VatPlace {
  /** The seller is outside VAT (franchise en base). */
  isVatExempt: boolean;
  /** Decides the VAT of objects. */
  shippingPostalCode: string;
  /** Decides the VAT of files: where the buyer lives. */
  billingPostalCode: string;
}

/** The VAT place of an order, of a cart that is about to be paid, or of an invoice. */
export const vatPlaceOf = ({
  isVatExempt,
  shippingAddress,
  billingAddress,
}: {
  isVatExempt: boolean;
  shippingAddress: { postalCode: string };
  billingAddress: { postalCode: string };
}): VatPlace => ({
  isVatExempt,
  shippingPostalCode: shippingAddress.postalCode,
  billingPostalCode: billingAddress.postalCode,
});

interface SoldLine {
  productType: ProductType;
  vatRateBp: number;
}

/** The VAT rules of the place where a product is taxed; null if the place is in no known zone. */
function vatOf(place: VatPlace, productType: ProductType): PlaceVat | null {
  const isFile = productType === "digital";
  const zone = postalZoneOf(isFile ? place.billingPostalCode : place.shippingPostalCode);
  return zone && VAT_OF_PLACE[zone];
}

/** The rate at a place, in basis points, of a line with a mainland rate. */
export function vatRateAt(place: VatPlace, { vatRateBp, productType }: SoldLine): number {
  if (place.isVatExempt) return 0;
  const rates = vatOf(place, productType)?.rates ?? AS_ON_THE_MAINLAND;
  return rates === "none" ? 0 : (rates.get(vatRateBp) ?? vatRateBp);
}

/** Does the place charge VAT on this product type? A product's own rate may still be 0. */
export const hasVatAt = (place: VatPlace, productType: ProductType): boolean =>
  !place.isVatExempt && vatOf(place, productType)?.rates !== "none";

/** The notes that an invoice needs for its lines without VAT, without duplicates. */
export function vatNotesAt(place: VatPlace, lines: readonly SoldLine[]): string[] {
  if (place.isVatExempt) return [VAT_EXEMPT_NOTE];
  const notes = lines
    .filter(({ vatRateBp }) => vatRateBp === 0)
    .flatMap(({ productType }) => vatOf(place, productType)?.notes?.[productType] ?? []);
  return [...new Set(notes)];
}
