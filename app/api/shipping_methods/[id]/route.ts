import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import {
  deleteShippingMethod,
  requireShippingMethod,
  updateShippingMethod,
} from "@/lib/shipping/admin";
import { shippingMethodResource } from "@/lib/shipping/admin-resource";
import { shippingMethodChange } from "@/lib/shipping/admin-schemas";

// GET, PUT, DELETE /api/shipping_methods/{id} – one shipping method
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un mode de livraison",
    params: idParams,
    run: ({ params }) => requireShippingMethod({ id: params.id }),
    reply: shippingMethodResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier un mode de livraison",
    description: "Les paiements déjà ouverts gardent le mode et le prix qui ont été montrés.",
    params: idParams,
    body: shippingMethodChange,
    refusals: [409],
    run: ({ user, params, body }) =>
      updateShippingMethod({ actor: user, id: params.id, input: body }),
    reply: shippingMethodResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer un mode de livraison",
    description: "Les commandes gardent son nom et son prix.",
    params: idParams,
    run: ({ user, params }) => deleteShippingMethod({ actor: user, id: params.id }),
    reply: 204,
  }),
});
