import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, or, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "@/db";
import { addresses } from "@/db/schema/addresses";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { type CheckoutLine, checkouts } from "@/db/schema/checkout";
import { isOwned, postalColumns } from "@/lib/addresses/queries";
import { BLOCKED, tooLittle } from "@/lib/cart/texts";
import { isOnSale } from "@/lib/catalogue/product-rows";
import { fail } from "@/lib/errors/failure";
import { formatEuros } from "@/lib/money";
import { transactWithRetries } from "@/lib/payments/transaction";
import type { ActiveMethod } from "@/lib/shipping-methods/queries";
import { parcelOf } from "@/lib/shipping-methods/rules";
import { centsBelowMinimum, MAX_PAYMENT } from "@/lib/shop/card-payment-limits";
import { givenDetails } from "@/lib/shop/postal-address";
import { vatPlaceOf, vatRateAt } from "@/lib/shop/vat-of-place";
import { freePieces } from "@/lib/stock/holds";
import { onlyLeft } from "@/lib/stock/texts";
import type { Buyer } from "./completion";
import { fingerprintOf, totalOf } from "./rules";
import type { paymentInput } from "./schemas";
import { shippingOf } from "./shipping";
import { EMPTY_CART, PRICE_CHANGED, TOTAL_CHANGED, tooMuch, UNKNOWN_ADDRESS } from "./texts";
import type { Checkout } from "./write-order";

export interface PaymentRequest extends Omit<z.output<typeof paymentInput>, "total"> {
  userId: number;
  /** The total that the customer was shown, if the caller sends it. */
  totalCents?: number | undefined;
}

/** The cart, prices, buyer and addresses that are to be paid now. */
export type CheckoutSnapshot = Buyer & ReturnType<typeof snapshotOf>;

/** The lines of the customer's cart; products that have left the shop, and drafts, are null. */
export function readLines(tx: Transaction, { userId }: { userId: number }) {
  const cart = tx.select({ id: carts.id }).from(carts).where(eq(carts.userId, userId));
  return tx
    .select({
      cartItemId: cartItems.id,
      quantity: cartItems.quantity,
      displayedPriceCents: sql<number>`coalesce(${cartItems.displayedPriceCents}, ${cartItems.addedPriceCents})`,
      product: {
        productId: products.id,
        productType: products.type,
        name: products.name,
        image: products.image,
        unitPriceCents: products.priceCents,
        vatRateBp: products.vatRateBp,
        downloadLink: products.downloadLink,
        free: freePieces({ userId }),
      },
      weight: products.weight,
    })
    .from(cartItems)
    .leftJoin(products, and(eq(products.id, cartItems.productId), isOnSale()))
    .where(eq(cartItems.cartId, sql`(${cart})`))
    .orderBy(asc(cartItems.id));
}

/** The two addresses, without any that is not the customer's. */
export function readAddresses(
  tx: Transaction,
  { userId, shippingAddressId, billingAddressId }: PaymentRequest,
) {
  return tx
    .select(postalColumns)
    .from(addresses)
    .where(
      or(isOwned({ userId, id: shippingAddressId }), isOwned({ userId, id: billingAddressId })),
    );
}

/** @throws 409 and 422, as `openCheckout` */
export function snapshotOf({
  lines: rows,
  addresses,
  methods,
  isVatExempt,
  shippingAddressId,
  billingAddressId,
  shippingMethodId = null,
  totalCents: shownCents,
}: PaymentRequest & {
  lines: Awaited<ReturnType<typeof readLines>>;
  addresses: Awaited<ReturnType<typeof readAddresses>>;
  methods: readonly ActiveMethod[];
  isVatExempt: boolean;
}) {
  if (rows.length === 0) throw fail.violation("", EMPTY_CART);
  const shownLines = linesOf(rows);
  const addressOf = (field: "shippingAddressId" | "billingAddressId", id: number) => {
    const address = addresses.find((each) => each.id === id);
    if (!address) throw fail.violation(field, UNKNOWN_ADDRESS);
    const { street, city, postalCode, ...details } = address;
    return { street, city, postalCode, ...givenDetails(details) };
  };
  const shippingAddress = addressOf("shippingAddressId", shippingAddressId);
  const billingAddress = addressOf("billingAddressId", billingAddressId);
  const parcel = parcelOf(
    rows.map(({ quantity, product, weight }) => ({
      type: product?.productType ?? null,
      priceCents: product?.unitPriceCents ?? 0,
      quantity,
      weight,
    })),
  );
  const { postalCode } = shippingAddress;
  const shipping = shippingOf({ parcel, postalCode, methods, methodId: shippingMethodId });
  const place = vatPlaceOf({ isVatExempt, shippingAddress, billingAddress });
  const lines = shownLines.map((line) => ({ ...line, vatRateBp: vatRateAt(place, line) }));
  const totalCents = totalOf(lines) + (shipping?.priceCents ?? 0);
  if (shownCents !== undefined && shownCents !== totalCents) throw fail.conflict(TOTAL_CHANGED);
  const missingCents = centsBelowMinimum(totalCents);
  if (missingCents > 0) throw fail.violation("", tooLittle(missingCents));
  if (totalCents > MAX_PAYMENT) throw fail.violation("", tooMuch(formatEuros(MAX_PAYMENT)));
  return {
    lines,
    shipping,
    fingerprint: fingerprintOf({ lines, shipping }),
    totalCents,
    isVatExempt,
    shippingAddress,
    billingAddress,
  };
}

/** @throws 409 where a product is gone or its price has changed; 422 where too few pieces are free */
function linesOf(rows: Awaited<ReturnType<typeof readLines>>): CheckoutLine[] {
  const lines = rows.map(({ cartItemId, quantity, product, displayedPriceCents }) => {
    if (product === null) throw fail.conflict(BLOCKED);
    const { free, ...bought } = product;
    // Checked without a lock first: most late buyers are refused without waiting for one.
    if (free !== null && free < quantity) throw fail.violation("", onlyLeft(Math.max(0, free)));
    return { line: { ...bought, cartItemId, quantity }, displayedPriceCents };
  });
  if (lines.some(({ line, displayedPriceCents }) => line.unitPriceCents !== displayedPriceCents))
    throw fail.conflict(PRICE_CHANGED);
  return lines.map(({ line }) => line);
}

/**
 * Updates the parts of the snapshot that do not change the amount: addresses, names, files. Returns false
 * where the checkout has ended in the meantime.
 */
export async function refreshSnapshot({
  checkout,
  snapshot,
}: {
  checkout: Checkout;
  snapshot: CheckoutSnapshot;
}): Promise<boolean> {
  const isUnchanged = (Object.keys(snapshot) as (keyof CheckoutSnapshot)[]).every(
    // Deep comparison: PostgreSQL stores the keys of JSON in an order of its own.
    (key) => isDeepStrictEqual(snapshot[key], checkout[key]),
  );
  if (isUnchanged) return true;
  return transactWithRetries(async (tx) => {
    const [refreshed] = await tx
      .update(checkouts)
      .set({ ...snapshot, updatedAt: sql`now()` })
      .where(
        and(
          eq(checkouts.id, checkout.id),
          eq(checkouts.status, "pending"),
          eq(checkouts.fingerprint, snapshot.fingerprint),
        ),
      )
      .returning({ id: checkouts.id });
    return refreshed !== undefined;
  });
}
