import type { InvoiceLine } from "@/db/schema/invoices";
import type { WeightBand } from "@/db/schema/shipping-methods";
import {
  hasPostalPrefix,
  POSTAL_ZONE_LABELS,
  type PostalZone,
  postalZoneOf,
} from "@/lib/shop/postal-zones";
import type { ProductType } from "@/lib/shop/product-type";
import { DEFAULT_VAT_RATE } from "@/lib/shop/vat-rates";

/** The fields of a line from which shipping is computed. */
interface ShippableLine {
  /** Null for a product that has left the shop, which is not sent. */
  type: ProductType | null;
  quantity: number;
  priceCents: number;
  /** Grams; null where unknown, which counts as 0. */
  weight: number | null;
}

/** The value and weight of the objects among the lines. Files are not sent. */
export interface Parcel {
  goodsCents: number;
  grams: number;
}

/** The parcel of a cart; null where the cart holds no object. */
export function parcelOf(lines: readonly ShippableLine[]): Parcel | null {
  const sent = lines.filter(({ type }) => type === "physical");
  if (sent.length === 0) return null;
  let goodsCents = 0;
  let grams = 0;
  for (const { quantity, priceCents, weight } of sent) {
    goodsCents += quantity * priceCents;
    grams += quantity * (weight ?? 0);
  }
  return { goodsCents, grams };
}

export interface Tariff {
  priceCents: number;
  freeFromCents: number | null;
  bands: readonly WeightBand[];
}

/** The price for this parcel in cents; null where the method cannot carry it. */
export function shippingPriceOf(
  { priceCents, freeFromCents, bands }: Tariff,
  { goodsCents, grams }: Parcel,
): number | null {
  const byWeight = bands
    .toSorted((a, b) => a.maxGrams - b.maxGrams)
    .find(({ maxGrams }) => grams <= maxGrams);
  if (bands.length > 0 && !byWeight) return null;
  if (freeFromCents !== null && goodsCents >= freeFromCents) return 0;
  return byWeight?.priceCents ?? priceCents;
}

/** The prices of a method, lightest parcels first; `maxGrams` is null where weight does not matter. */
export const priceSteps = ({
  priceCents,
  bands,
}: Pick<Tariff, "priceCents" | "bands">): { maxGrams: number | null; priceCents: number }[] =>
  bands.length > 0
    ? bands.toSorted((a, b) => a.maxGrams - b.maxGrams)
    : [{ maxGrams: null, priceCents }];

export interface Destinations {
  zones: readonly PostalZone[];
  /** Whole postal codes, and prefixes of postal codes. */
  postalCodes: readonly string[];
}

/** "France continentale, Corse, 974" */
export const destinationsText = ({ zones, postalCodes }: Destinations): string =>
  [...zones.map((zone) => POSTAL_ZONE_LABELS[zone]), ...postalCodes].join(", ");

/** The destinations of a method that names none. */
export const DEFAULT_ZONES: readonly PostalZone[] = ["mainland"];

/** Does the method serve this postal code? */
export function goesTo({ zones, postalCodes }: Destinations, postalCode: string): boolean {
  const zone = postalZoneOf(postalCode);
  return (zone !== null && zones.includes(zone)) || hasPostalPrefix(postalCode, postalCodes);
}

/** A method that can carry a parcel, with its price for the parcel. */
type Offer<Method> = Method & { offeredCents: number };

/**
 * The methods that can carry a parcel, cheapest first; methods of the same price in the shop's order.
 *
 * @param postalCode of the destination; null while it is unknown: then methods to all destinations are
 *   returned
 */
export function offersFor<Method extends Tariff & Destinations>(
  methods: readonly Method[],
  parcel: Parcel,
  postalCode: string | null = null,
): Offer<Method>[] {
  return methods
    .filter((method) => postalCode === null || goesTo(method, postalCode))
    .flatMap((method) => {
      const offeredCents = shippingPriceOf(method, parcel);
      return offeredCents === null ? [] : [{ ...method, offeredCents }];
    })
    .sort((a, b) => a.offeredCents - b.offeredCents);
}

/** What each method to mainland France asks for a parcel, cheapest first. */
export const mainlandOffers = <Method extends Tariff & Destinations>(
  methods: readonly Method[],
  parcel: Parcel,
): Offer<Method>[] =>
  offersFor(
    methods.filter(({ zones }) => zones.includes("mainland")),
    parcel,
  );

/**
 * Cents of objects missing until a method becomes free; null where one is free already, or none ever becomes
 * free.
 */
export function missingToFree(offers: readonly Offer<Tariff>[], parcel: Parcel): number | null {
  if (offers.some(({ offeredCents }) => offeredCents === 0)) return null;
  const missing = offers.flatMap(({ freeFromCents }) =>
    freeFromCents === null ? [] : [freeFromCents - parcel.goodsCents],
  );
  return missing.length === 0 ? null : Math.min(...missing);
}

/** What a product's page says about its delivery. */
export interface DeliveryPromise {
  /** Cents, for one piece of the product. */
  priceCents: number;
  /** Cents of objects from which a method is free; null where one is free already, or none ever is. */
  freeFromCents: number | null;
  /** "2 à 3 jours ouvrés", of the cheapest method; may be empty. */
  delay: string;
}

/** The cheapest delivery of a parcel, to mainland France if a method goes there; null where none can carry it. */
export function deliveryPromise(
  methods: readonly (Tariff & Destinations & { delay: string })[],
  parcel: Parcel,
): DeliveryPromise | null {
  const toMainland = mainlandOffers(methods, parcel);
  const offers = toMainland.length > 0 ? toMainland : offersFor(methods, parcel);
  const [cheapest] = offers;
  if (!cheapest) return null;
  const missing = missingToFree(offers, parcel);
  return {
    priceCents: cheapest.offeredCents,
    freeFromCents: missing === null ? null : parcel.goodsCents + missing,
    delay: cheapest.delay,
  };
}

/** The delivery that a shop promises while the cart is empty. */
export interface DeliveryOffer {
  /** The lowest price, in cents. */
  fromCents: number;
  /** Delivery is free from this value of the objects, in cents; null where it never becomes free. */
  freeFromCents: number | null;
  /** "2 à 3 jours ouvrés", of the method with the lowest price; may be empty. */
  delay: string;
}

/** The offer to mainland France; null where no method goes there. */
export function deliveryOffer(
  methods: readonly (Tariff & Pick<Destinations, "zones"> & { delay: string })[],
): DeliveryOffer | null {
  const offers = methods
    .filter(({ zones }) => zones.includes("mainland"))
    .map(({ priceCents, freeFromCents, bands, delay }) => ({
      fromCents:
        freeFromCents === 0
          ? 0
          : bands.length > 0
            ? Math.min(...bands.map((band) => band.priceCents))
            : priceCents,
      freeFromCents,
      delay,
    }));
  const lowest = (key: (offer: DeliveryOffer) => number | null) =>
    offers
      .filter((offer) => key(offer) !== null)
      .toSorted((a, b) => Number(key(a)) - Number(key(b)))[0];
  const cheapest = lowest(({ fromCents }) => fromCents);
  if (!cheapest) return null;
  const { fromCents, delay } = cheapest;
  const firstFree = fromCents === 0 ? undefined : lowest(({ freeFromCents }) => freeFromCents);
  return { fromCents, freeFromCents: firstFree?.freeFromCents ?? null, delay };
}

/** "Livraison – Colissimo": the line's name on invoices and credit notes. */
export const shippingLineName = (method: string) => `Livraison – ${method}`;

/** A line of an order, from which shipping lines are computed. */
export interface ShippedGoods {
  productType: ProductType;
  quantity: number;
  unitPriceCents: number;
  vatRateBp: number;
}

/**
 * The lines of an invoice or a credit note for shipping, highest VAT rate first. Shipping is taxed like the
 * sent objects: one line for each VAT rate of the objects, in proportion to their value. The lines add up to
 * the price to the cent: cents left after rounding down go to the largest remainders. Free shipping has one
 * line of 0 cents, at the rate with the largest value.
 *
 * @param goods the lines of the order. Files do not count, since they are not sent, except in an order from
 *   which admins have removed every object.
 */
export function shippingLines({
  name,
  priceCents,
  goods,
}: {
  /** The method's name. */
  name: string;
  priceCents: number;
  goods: readonly ShippedGoods[];
}): InvoiceLine[] {
  const values = valueByRate(goods);
  const parts = inProportion({ cents: priceCents, values });
  // Free shipping has one line only, at the rate with the largest value.
  const main = values.reduce((most, each) => (each.cents > most.cents ? each : most));
  return values.flatMap((value, index): InvoiceLine[] => {
    const cents = parts[index] ?? 0;
    if (cents === 0 && !(priceCents === 0 && value === main)) return [];
    return [
      {
        kind: "shipping",
        name: shippingLineName(name),
        quantity: 1,
        unitPriceCents: cents,
        vatRateBp: value.vatRateBp,
      },
    ];
  });
}

export interface RateValue {
  vatRateBp: number;
  cents: number;
}

/** The value of the objects per VAT rate, highest rate first. */
function valueByRate(goods: readonly ShippedGoods[]): [RateValue, ...RateValue[]] {
  const objects = goods.filter(({ productType }) => productType === "physical");
  const byRate = new Map<number, number>();
  for (const { quantity, unitPriceCents, vatRateBp } of objects.length > 0 ? objects : goods)
    byRate.set(vatRateBp, (byRate.get(vatRateBp) ?? 0) + quantity * unitPriceCents);
  const [first, ...others] = [...byRate]
    .map(([vatRateBp, cents]) => ({ vatRateBp, cents }))
    .sort((a, b) => b.vatRateBp - a.vatRateBp);
  return [first ?? { vatRateBp: DEFAULT_VAT_RATE, cents: 0 }, ...others];
}

/** Splits cents in proportion to the values, by largest remainders; equally where all values are 0. */
export function inProportion({
  cents,
  values,
}: {
  cents: number;
  values: readonly RateValue[];
}): number[] {
  const total = values.reduce((sum, value) => sum + value.cents, 0);
  const weights = values.map((value) => BigInt(total === 0 ? 1 : value.cents));
  const divisor = weights.reduce((sum, weight) => sum + weight, 0n);
  // BigInt: the product may exceed the exact range of a float.
  const shares = weights.map((weight, index) => {
    const exact = BigInt(cents) * weight;
    return { index, whole: Number(exact / divisor), remainder: exact % divisor };
  });
  const parts = shares.map(({ whole }) => whole);
  let left = cents - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  );
  for (const { index } of byRemainder) {
    if (left === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
