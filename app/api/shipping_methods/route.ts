import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import {
  createShippingMethod,
  exportShippingMethods,
  listShippingMethods,
} from "@/lib/shipping/admin";
import { shippingMethodResource } from "@/lib/shipping/admin-resource";
import { shippingMethodInput, shippingMethodListQuery } from "@/lib/shipping/admin-schemas";

// GET /api/shipping_methods – the shipping methods
// POST /api/shipping_methods – adds a shipping method
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les modes de livraison",
    query: shippingMethodListQuery,
    run: ({ query }) => listShippingMethods(query),
    csv: ({ query }) => exportShippingMethods(query),
    reply: collectionOf(shippingMethodResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter un mode de livraison",
    description:
      "Dès qu'un mode est actif, le client choisit le sien avant de payer, si son panier contient un objet.",
    body: shippingMethodInput,
    run: ({ user, body }) => createShippingMethod({ actor: user, input: body }),
    reply: shippingMethodResource,
  }),
});
