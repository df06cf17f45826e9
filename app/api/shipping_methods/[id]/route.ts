import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";
import {
  deleteShippingMethod,
  requireShippingMethod,
  updateShippingMethod,
} from "@/lib/shipping/admin";
import { shippingMethodResource } from "@/lib/shipping/admin-resource";
import { shippingMethodChange } from "@/lib/shipping/admin-schemas";

// GET, PUT, DELETE /api/shipping_methods/{id} – one shipping method
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire un mode de livraison",
    run: requireShippingMethod,
    reply: shippingMethodResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier un mode de livraison",
    description: "Les paiements déjà ouverts gardent le mode et le prix qui ont été montrés.",
    body: shippingMethodChange,
    run: updateShippingMethod,
    reply: shippingMethodResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer un mode de livraison",
    description: "Les commandes gardent son nom et son prix.",
    run: deleteShippingMethod,
  }),
});
