import { z } from "zod";
import { handleEvent, requireSignature } from "@/lib/checkout/webhook";
import { rawText } from "@/lib/http/api/body";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

/**
 * Largest event in bytes. Stripe documents no limit. An event about a payment has some 10 kB, and at most
 * 162 kB of metadata: 50 names of 40 characters with values of 500, each of six bytes where JSON escapes it.
 */
const MAX_EVENT = 256_000;

// POST /api/stripe/webhook – the payment provider reports an event
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Recevoir un événement du prestataire de paiement",
    description: "L'en-tête Stripe-Signature signe le corps, à l'octet près.",
    body: rawText({
      limit: MAX_EVENT,
      description: "Événement tel que Stripe l'envoie",
      check: requireSignature,
    }),
    run: async ({ body, request }) => {
      await handleEvent({ body, signature: request.headers.get("stripe-signature") });
      return { received: true };
    },
    reply: json(z.object({ received: z.boolean().describe("Toujours vrai") })),
  }),
});
