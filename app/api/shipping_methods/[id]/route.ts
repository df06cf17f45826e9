import { itemHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import { adminShippingMethods } from "@/lib/shipping-methods/admin";

// GET, PUT, DELETE /api/shipping_methods/{id} – one shipping method
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  itemHandlers(adminShippingMethods, {
    read: "Lire un mode de livraison",
    update: {
      summary: "Modifier un mode de livraison",
      description: "Les paiements déjà ouverts gardent le mode et le prix qui ont été montrés.",
    },
    remove: {
      summary: "Supprimer un mode de livraison",
      description: "Les commandes gardent son nom et son prix.",
    },
  }),
);
