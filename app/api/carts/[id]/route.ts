import { itemHandlers } from "@/lib/backoffice/routes";
import { adminCarts } from "@/lib/cart/admin";
import { methods } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/carts/{id} – anybody's cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  itemHandlers(adminCarts, {
    read: "Lire le panier d'un utilisateur",
    update: {
      summary: "Modifier le panier d'un utilisateur",
      description: "Les articles envoyés remplacent ceux du panier.",
    },
    remove: "Supprimer le panier d'un utilisateur",
  }),
);
