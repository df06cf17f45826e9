import type { JsonOf } from "@/lib/http/api/resource";
import { centsOfAmount } from "@/lib/money";
import { goesTo } from "@/lib/shipping-methods/rules";
import { centsBelowMinimum } from "@/lib/shop/card-payment-limits";
import { hasVatAt } from "@/lib/shop/vat-of-place";
import type { cartResource } from "./resource";

/** The fields of a line that totals need. */
interface CountedLine {
  quantity: number;
  priceCents: number;
  /** False once the product has left the shop. */
  isAvailable: boolean;
}

/** The number of pieces and their price in cents; products that have left the shop are not counted. */
export function cartTotals(lines: readonly CountedLine[]): { pieces: number; totalCents: number } {
  let pieces = 0;
  let totalCents = 0;
  for (const { quantity, priceCents, isAvailable } of lines) {
    if (!isAvailable) continue;
    pieces += quantity;
    totalCents += quantity * priceCents;
  }
  return { pieces, totalCents };
}

/** The cart as the API sends it. */
export type CartJson = JsonOf<typeof cartResource>;
export type CartItemJson = CartJson["items"][number];
/** The shipping methods for the cart's objects; an empty list if the cart is too heavy for all. */
export type CartShippingJson = NonNullable<CartJson["shipping"]>;
export type ShippingOfferJson = CartShippingJson["methods"][number];

/** Only an explicit false means that the product has left the shop. */
export const isAvailable = ({ available }: Pick<CartItemJson, "available">) => available !== false;

/** Are there as many pieces as the cart holds? */
export const isInStock = ({ left }: Pick<CartItemJson, "left">) => typeof left !== "number";

/** Cents of one piece. */
export const itemPriceCents = ({ product }: Pick<CartItemJson, "product">) =>
  centsOfAmount(product.price);

/** Cents of a shipping method for the cart. */
export const offerPriceCents = ({ price }: Pick<ShippingOfferJson, "price">) =>
  centsOfAmount(price);

/** Keeps the methods that deliver to an address; all of them can carry the cart's weight. */
export const offersTo = (
  shipping: CartShippingJson,
  { postalCode }: { postalCode: string },
): CartShippingJson => ({
  ...shipping,
  methods: shipping.methods.filter((method) => goesTo(method, postalCode)),
});

/** The method that the customer has chosen, else the cheapest; null if there are none. */
export function chosenOffer({
  shipping,
  chosenId,
}: {
  shipping: CartShippingJson | null;
  /** The method may have been removed since. */
  chosenId: number | null;
}): ShippingOfferJson | null {
  const { methods = [] } = shipping ?? {};
  return methods.find(({ id }) => id === chosenId) ?? methods[0] ?? null;
}

/** Like `cartTotals`, for items as the API sends them. */
export function itemTotals(items: readonly CartItemJson[]) {
  return cartTotals(
    items.map((item) => ({
      quantity: item.quantity,
      priceCents: itemPriceCents(item),
      isAvailable: isAvailable(item),
    })),
  );
}

/**
 * How much of the amount that makes shipping free is in the cart, from 0 to 1. Files do not count, nor products
 * that have left the shop.
 *
 * @param missingToFree euros, as the API sends them
 */
export function freeShippingShare({
  items,
  missingToFree,
}: {
  items: readonly CartItemJson[];
  missingToFree: number;
}): number {
  const objects = items.filter(({ product }) => product.productType === "physical");
  const { totalCents } = itemTotals(objects);
  return totalCents / (totalCents + centsOfAmount(missingToFree));
}

/** Does the total include VAT? Without addresses the mainland's rules apply. */
export function hasVat({
  items,
  isVatExempt,
  shipping,
  billing,
}: {
  items: readonly CartItemJson[];
  isVatExempt: boolean;
  /** Where objects are delivered. */
  shipping: { postalCode: string } | undefined;
  billing: { postalCode: string } | undefined;
}): boolean {
  const place = {
    isVatExempt,
    shippingPostalCode: shipping?.postalCode ?? "",
    billingPostalCode: billing?.postalCode ?? "",
  };
  return items.some(({ product }) => hasVatAt(place, product.productType ?? "physical"));
}

interface LoadedCart {
  /** Null until the cart is loaded. */
  items: readonly CartItemJson[] | null;
  shipping: { methods: readonly Pick<ShippingOfferJson, "price">[] } | null;
}

/** Cents that a cart lacks to be paid by card, with the shipping method that leaves the least missing. */
export function cartCentsBelowMinimum({ items, shipping }: LoadedCart): number {
  const { totalCents } = itemTotals(items ?? []);
  const { methods = [] } = shipping ?? {};
  const sent = methods.length === 0 ? [0] : methods.map(offerPriceCents);
  return Math.min(...sent.map((cents) => centsBelowMinimum(totalCents + cents)));
}

/** May the customer go on to the checkout? */
export function canCheckOut(cart: LoadedCart): boolean {
  const { items } = cart;
  if (!items || items.length === 0) return false;
  const areAllThere = items.every((item) => isAvailable(item) && isInStock(item));
  return areAllThere && cartCentsBelowMinimum(cart) === 0;
}
