import { openCheckout } from "@/lib/checkout/mutations";
import { openedPayment, paymentInput } from "@/lib/checkout/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { centsFromEuros } from "@/lib/money";

// POST /api/cart/payment-intent – takes a snapshot of the cart and opens the payment of its total
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Ouvrir le paiement de son panier",
    description:
      "Fige le panier, ses prix, le mode de livraison et les deux adresses. Le même panier donne le même paiement, un autre panier annule le précédent. Un panier gratuit n'a pas de paiement : la réponse donne l'identifiant qui suffit à confirmer la commande.",
    body: paymentInput,
    rateLimit: { name: "payment-intent", points: 120, duration: 600 },
    refusals: [409, 503],
    run: ({ user, body: { total, ...choices } }) =>
      openCheckout({
        userId: user.id,
        ...choices,
        ...(total !== undefined && { totalCents: centsFromEuros(total) ?? undefined }),
      }),
    reply: json(openedPayment),
  }),
});
