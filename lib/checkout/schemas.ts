import { z } from "zod";
import { parseIri, relationField } from "@/lib/http/api/ids";
import { centsFromEuros } from "@/lib/money";
import { REQUIRED } from "@/lib/text/texts";

/** An id that no method has: stands for a value that cannot be read as a method. */
const UNKNOWN_METHOD_ID = 0;

/** Accepts any value: it is ignored where nothing is to be shipped. */
const shippingMethodId = z
  .unknown()
  .transform((value) =>
    value === undefined || value === null || value === ""
      ? null
      : (parseIri(value, "shipping_methods") ?? UNKNOWN_METHOD_ID),
  )
  .meta({
    type: ["string", "integer", "null"],
    examples: ["/api/shipping_methods/1", 1],
    description:
      "Mode de livraison : adresse /api/shipping_methods/{id} ou identifiant, parmi ceux du panier. Sans lui, le moins cher qui convient au panier",
    relation: "shipping_methods",
  });

/** `POST /api/cart/payment-intent`. */
export const paymentInput = z.object({
  shippingAddressId: relationField({
    collection: "addresses_front",
    description: "Adresse de livraison",
  }),
  billingAddressId: relationField({
    collection: "addresses_front",
    description: "Adresse de facturation",
  }),
  shippingMethodId: shippingMethodId.optional(),
  /** The total that the customer was shown, if sent: the call is refused where the cart's total differs. */
  total: z
    .number()
    .refine((euros) => centsFromEuros(euros) !== null, "Ce montant n'est pas valable.")
    .optional()
    .describe(
      "Total en euros que l'acheteur a vu, livraison comprise ; un autre est alors refusé (409)",
    ),
});

/** `POST /api/cart/confirm-order`. The payment's addresses count, whatever addresses are sent. */
export const confirmationInput = z.object({
  shippingAddressId: z.unknown().optional().describe("Sans effet : celle du paiement compte"),
  billingAddressId: z.unknown().optional().describe("Sans effet : celle du paiement compte"),
  paymentIntentId: z
    .string(REQUIRED)
    .trim()
    .min(1, REQUIRED)
    .max(255)
    .describe(
      "Identifiant du paiement (pi_…) ou, pour un panier gratuit, celui qu'a donné l'ouverture du paiement",
    ),
});

/** The response of `POST /api/cart/payment-intent`. */
export const openedPayment = z.object({
  clientSecret: z
    .string()
    .describe(
      "Secret avec lequel le navigateur confirme le paiement, s'il y a quelque chose à payer",
    ),
  paymentIntentId: z
    .string()
    .optional()
    .describe(
      "Seulement si le total est de 0 € : il n'y a rien à payer, et cet identifiant suffit à confirmer la commande",
    ),
});

export type OpenedPayment = z.output<typeof openedPayment>;

/** The response of `POST /api/cart/confirm-order`. */
export const confirmedOrder = z.object({
  orderId: z.int().describe("Identifiant de la commande"),
  orderTotal: z.number().describe("Total en euros, TVA comprise"),
});

export const checkoutConfiguration = z.object({
  publishableKey: z.string().describe("Clé publique du prestataire de paiement"),
  sandboxUrl: z
    .string()
    .nullable()
    .describe("Adresse du bac à sable de cartes, null avec un vrai prestataire"),
});
