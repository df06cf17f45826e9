import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import { announceCartChange } from "@/lib/cart/client";
import { CHECKOUT_COOKIE } from "@/lib/guards";
import type { checkoutConfiguration, confirmedOrder, OpenedPayment } from "./schemas";

/** The customer's choice, and the total that the page showed. */
interface Choice {
  shipping: { id: number };
  billing: { id: number };
  /** The shipping method; null where the cart offers none to choose from. */
  method: { id: number } | null;
  /** Includes shipping, as the page shows it. The server refuses a different total. */
  totalCents: number;
}

/** GET /api/checkout/configuration. @throws ApiError */
export function getPaymentConfiguration(): Promise<z.output<typeof checkoutConfiguration>> {
  return callApi("/api/checkout/configuration", { as: "session" });
}

/**
 * POST /api/cart/payment-intent: freezes the cart and opens the payment of its total.
 *
 * @throws ApiError 409 where the cart differs from the cart that was shown, or is paid already
 */
export async function openPayment({
  shipping,
  billing,
  method,
  totalCents,
}: Choice): Promise<OpenedPayment> {
  const { clientSecret, paymentIntentId } = await callApi<OpenedPayment>(
    "/api/cart/payment-intent",
    {
      method: "POST",
      json: {
        shippingAddressId: shipping.id,
        billingAddressId: billing.id,
        shippingMethodId: method?.id ?? null,
        total: totalCents / 100,
      },
      as: "session",
    },
  );
  return { clientSecret, paymentIntentId };
}

/**
 * POST /api/cart/confirm-order: the order of a payment, or of a cart that costs nothing. May be repeated. If
 * the session has ended, the login leads to the orders: the payment becomes an order even without this call.
 *
 * @throws ApiError
 */
export function confirmOrder({
  shipping,
  billing,
  paymentIntentId,
}: Pick<Choice, "shipping" | "billing"> & { paymentIntentId: string }): Promise<
  z.output<typeof confirmedOrder>
> {
  const json = {
    shippingAddressId: shipping.id,
    billingAddressId: billing.id,
    paymentIntentId,
  };
  return callApi("/api/cart/confirm-order", {
    method: "POST",
    json,
    as: "session",
    pageAfterLogin: "/orders",
  });
}

/** Closes the checkout page until the next 'Passer la commande', and announces the changed cart. */
export function endCheckout(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
  document.cookie = `${CHECKOUT_COOKIE}=; path=/checkout; max-age=0; samesite=lax`;
  void announceCartChange();
}
