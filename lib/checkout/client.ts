import { callApi } from "@/lib/api-client";
import { announceCartChange } from "@/lib/cart/client";
import { CHECKOUT_COOKIE } from "@/lib/guards";

interface PaymentConfiguration {
  publishableKey: string;
  /** The card sandbox's URL; null where cards are really charged. */
  sandboxUrl: string | null;
}

interface ChosenAddresses {
  shippingAddressId: number;
  billingAddressId: number;
}

/** GET /api/checkout/configuration. @throws ApiError */
export function getPaymentConfiguration(): Promise<PaymentConfiguration> {
  return callApi("/api/checkout/configuration", { as: "session" });
}

/**
 * POST /api/cart/payment-intent: freezes the cart and opens the payment of its total.
 *
 * @param order `total`: euros, as the page shows them; another one is refused. `shippingMethodId`: of
 *   those that the cart offers; null where it offers none
 * @returns the secret that the browser confirms the payment with
 * @throws ApiError 409 where the cart is not what was shown, or is paid already
 */
export async function openPayment(
  order: ChosenAddresses & { shippingMethodId: number | null; total: number },
): Promise<string> {
  const { clientSecret } = await callApi<{ clientSecret: string }>("/api/cart/payment-intent", {
    method: "POST",
    json: order,
    as: "session",
  });
  return clientSecret;
}

/** POST /api/cart/confirm-order: the order of a payment, however often it is asked for. @throws ApiError */
export function confirmOrder(
  payment: ChosenAddresses & { paymentIntentId: string },
): Promise<{ orderId: number; orderTotal: number }> {
  return callApi("/api/cart/confirm-order", { method: "POST", json: payment, as: "session" });
}

/** The checkout is over: its page is closed until 'Passer la commande', and the cart has changed. */
export function endCheckout(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
  document.cookie = `${CHECKOUT_COOKIE}=; path=/checkout; max-age=0; samesite=lax`;
  void announceCartChange();
}
