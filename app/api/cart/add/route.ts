import { ADDED } from "@/lib/cart/addition-texts";
import { addToCart } from "@/lib/cart/mutations";
import { changedItem } from "@/lib/cart/resource";
import { cartAddition } from "@/lib/cart/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// POST /api/cart/add – adds pieces of a product to those in the cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Ajouter un produit à son panier",
    description: "Ce qui est déjà dans le panier reste : les quantités s'ajoutent.",
    body: cartAddition,
    refusals: [404],
    run: async ({ user, body }) => ({
      message: ADDED,
      ...(await addToCart({ userId: user.id, ...body })),
    }),
    reply: json(changedItem, { status: 201 }),
  }),
});
