import { checkoutConfiguration } from "@/lib/checkout/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { paymentProvider } from "@/lib/payment-settings";

// GET /api/checkout/configuration – how the browser reaches the payment provider
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Savoir comment joindre le prestataire de paiement",
    run: () => {
      const { publishableKey, apiBase, isSandbox } = paymentProvider();
      return { publishableKey, sandboxUrl: isSandbox ? apiBase : null };
    },
    reply: json(checkoutConfiguration),
  }),
});
