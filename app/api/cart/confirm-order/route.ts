import { confirmOrder } from "@/lib/checkout/mutations";
import { confirmationReply } from "@/lib/checkout/resource";
import { confirmationInput } from "@/lib/checkout/schemas";
import { methods, route } from "@/lib/http/api/route";

// POST /api/cart/confirm-order – makes an order of the payment, or finds the order made of it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Confirmer sa commande après le paiement",
    description:
      "201 pour l'appel qui crée la commande, 200 quand elle existait déjà. Les adresses sont celles du paiement. Un panier gratuit se confirme sans paiement, avec l'identifiant qu'a donné son ouverture.",
    body: confirmationInput,
    refusals: [402, 404, 409, 429, 503],
    run: ({ user, body: { paymentIntentId } }) =>
      confirmOrder({ userId: user.id, paymentIntentId }),
    reply: confirmationReply,
  }),
});
