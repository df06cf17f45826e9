import { getPaymentConfiguration } from "@/lib/checkout/client";

export type LoadedStripe = Awaited<ReturnType<typeof loadStripe>>;

/**
 * Loads Stripe.js or, without keys, the sandbox's object with the same methods. `fillCard` fills a card element
 * of the sandbox in; Stripe has none. @throws if loading fails
 */
export async function loadStripe() {
  const { publishableKey, sandboxUrl } = await getPaymentConfiguration();
  if (sandboxUrl !== null) {
    const sandbox = await import("@/components/checkout/sandbox-stripe");
    const stripe = sandbox.createSandboxStripe({ url: sandboxUrl, publishableKey });
    return { stripe, fillCard: sandbox.fillCard };
  }
  const provider = await import("@stripe/stripe-js/pure");
  const stripe = await provider.loadStripe(publishableKey, { locale: "fr" });
  if (!stripe) throw new Error("Stripe.js has not been loaded.");
  return { stripe, fillCard: null };
}
