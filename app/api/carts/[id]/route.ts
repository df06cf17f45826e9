import { deleteCart, requireCart, updateCart } from "@/lib/cart/admin";
import { adminCartResource } from "@/lib/cart/admin-resource";
import { adminCartChange } from "@/lib/cart/admin-schemas";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/carts/{id} – anybody's cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire le panier d'un utilisateur",
    params: idParams,
    run: ({ params }) => requireCart({ id: params.id }),
    reply: adminCartResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier le panier d'un utilisateur",
    description: "Les articles envoyés remplacent ceux du panier.",
    params: idParams,
    body: adminCartChange,
    refusals: [409],
    run: ({ user, params, body }) => updateCart({ actor: user, id: params.id, input: body }),
    reply: adminCartResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer le panier d'un utilisateur",
    params: idParams,
    run: ({ user, params }) => deleteCart({ actor: user, id: params.id }),
    reply: 204,
  }),
});
