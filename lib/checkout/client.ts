import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import { announceCartChange } from "@/lib/cart/client";
import { CHECKOUT_COOKIE } from "@/lib/guards";
import type { checkoutConfiguration, confirmedOrder, OpenedPayment } from "./schemas";

/** What the customer has chosen, and was shown. */
interface Choice {
  shipping: { id: number };
  billing: { id: number };
  /** How it is sent; null where the cart offers nothing to choose. */
  method: { id: number } | null;
  /** With shipping, as the page shows it: another one is refused. */
  totalCents: number;
}

/** GET /api/checkout/configuration. @throws ApiError */
export function getPaymentConfiguration(): Promise<z.output<typeof checkoutConfiguration>> {
  return callApi("/api/checkout/configuration", { as: "session" });
}

/**
 * POST /api/cart/payment-intent: freezes the cart and opens the payment of its total.
 *
 * @throws ApiError 409 where the cart is not what was shown, or is paid already
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
 * POST /api/cart/confirm-order: the order of a payment, or of a cart that costs nothing, however often it is asked for. If the session has
 * ended meanwhile, the login leads to the orders: the payment becomes one without this call, too.
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

/** The checkout is over: its page is closed until 'Passer la commande', and the cart has changed. */
export function endCheckout(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
  document.cookie = `${CHECKOUT_COOKIE}=; path=/checkout; max-age=0; samesite=lax`;
  void announceCartChange();
}
