import type { Stripe } from "@stripe/stripe-js";
import { getPaymentConfiguration } from "@/lib/checkout/client";

export interface LoadedStripe {
  stripe: Stripe;
  /** No card is charged: the sandbox answers. */
  isSandbox: boolean;
}

/**
 * Stripe.js if the shop has keys, else the sandbox's object with the same methods. The rest of the
 * checkout does not know which it is.
 *
 * @throws if the shop or Stripe cannot be reached
 */
export async function loadStripe(): Promise<LoadedStripe> {
  const { publishableKey, sandboxUrl } = await getPaymentConfiguration();
  if (sandboxUrl !== null) {
    const { createSandboxStripe } = await import("@/components/checkout/sandbox-stripe");
    const stripe = createSandboxStripe({ url: sandboxUrl, publishableKey });
    return { stripe, isSandbox: true };
  }
  const provider = await import("@stripe/stripe-js/pure");
  const stripe = await provider.loadStripe(publishableKey, { locale: "fr" });
  if (!stripe) throw new Error("Stripe.js has not been loaded.");
  return { stripe, isSandbox: false };
}
