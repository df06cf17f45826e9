import { collectionHandlers } from "@/lib/backoffice/routes";
import { adminCarts } from "@/lib/cart/admin";
import { methods } from "@/lib/http/api/route";

// GET /api/carts – everybody's carts, page by page
// POST /api/carts – adds a cart for a user without one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  collectionHandlers(adminCarts, {
    list: "Lister les paniers de tous",
    create: "Ajouter un panier à un utilisateur qui n'en a pas",
  }),
);
