import { createHash } from "node:crypto";
import type { CheckoutLine, CheckoutShipping } from "@/db/schema/checkout";

/** Stands for the payment id of a checkout that costs nothing: such an order is confirmed like a paid one. */
export const freePaymentId = (checkoutId: string) => `free_${checkoutId}`;

/** The checkout id inside a `freePaymentId`; null for the id of a payment. */
export const freeCheckoutId = (paymentId: string): string | null =>
  /^free_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(paymentId)?.[1] ?? null;

/** Cents of all lines. */
export function totalOf(
  lines: readonly Pick<CheckoutLine, "unitPriceCents" | "quantity">[],
): number {
  return lines.reduce((sum, { unitPriceCents, quantity }) => sum + unitPriceCents * quantity, 0);
}

/**
 * Equal for carts with the same products, quantities, prices, VAT rates and shipping. While the fingerprint
 * stays the same, the customer keeps the same payment.
 */
export function fingerprintOf({
  lines,
  shipping,
}: {
  lines: readonly CheckoutLine[];
  shipping: CheckoutShipping | null;
}): string {
  const content = lines
    .map(({ productId, quantity, unitPriceCents, vatRateBp }) => [
      productId,
      quantity,
      unitPriceCents,
      vatRateBp,
    ])
    .sort(([a = 0], [b = 0]) => a - b);
  const sent = shipping ? [...content, [shipping.methodId, shipping.priceCents]] : content;
  return createHash("sha256").update(JSON.stringify(sent)).digest("base64url");
}

/** Seconds after which an unfinished payment is cancelled. */
export const ABANDONED_AFTER = 24 * 60 * 60;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds until a pending checkout is checked again; the delay grows with the checkout's age. */
export function nextCheckDelay(ageSeconds: number): number {
  return Math.min(HOUR, Math.max(MINUTE, Math.floor(ageSeconds / 2)));
}
