import { z } from "zod";
import { handleEvent } from "@/lib/checkout/webhook";
import { rawText } from "@/lib/http/api/body";
import { json } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";

/** Bytes of an event: one about a payment has some 10 kB. */
const MAX_EVENT = 512_000;

// POST /api/stripe/webhook – the payment provider tells what has happened
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint("/api/stripe/webhook", {
  POST: route({
    access: "public",
    summary: "Recevoir un événement du prestataire de paiement",
    description: "L'en-tête Stripe-Signature signe le corps, à l'octet près.",
    body: rawText({ limit: MAX_EVENT, description: "Événement tel que Stripe l'envoie" }),
    run: async ({ body, request }) => {
      await handleEvent({ body, signature: request.headers.get("stripe-signature") });
      return { received: true };
    },
    reply: json(z.object({ received: z.boolean().describe("Toujours vrai") })),
  }),
});
