import { createCart, exportCarts, listCarts } from "@/lib/cart/admin";
import { adminCartResource } from "@/lib/cart/admin-resource";
import { adminCartInput, cartListQuery } from "@/lib/cart/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/carts – everybody's carts, page by page
// POST /api/carts – adds a cart for a user without one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les paniers de tous",
    query: cartListQuery,
    run: ({ query }) => listCarts(query),
    csv: ({ query }) => exportCarts(query),
    reply: collectionOf(adminCartResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter un panier à un utilisateur qui n'en a pas",
    body: adminCartInput,
    run: ({ user, body }) => createCart({ actor: user, input: body }),
    reply: adminCartResource,
  }),
});
