import { collectionHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import { adminShippingMethods } from "@/lib/shipping-methods/admin";

// GET /api/shipping_methods – the shipping methods
// POST /api/shipping_methods – adds a shipping method
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  collectionHandlers(adminShippingMethods, {
    list: "Lister les modes de livraison",
    create: {
      summary: "Ajouter un mode de livraison",
      description:
        "Dès qu'un mode est actif, le client choisit le sien avant de payer, si son panier contient un objet.",
    },
  }),
);
