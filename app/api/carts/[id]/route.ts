import { deleteCart, requireCart, updateCart } from "@/lib/cart/admin";
import { adminCartResource } from "@/lib/cart/admin-resource";
import { adminCartChange } from "@/lib/cart/admin-schemas";
import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";

// GET, PUT, DELETE /api/carts/{id} – anybody's cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire le panier d'un utilisateur",
    run: requireCart,
    reply: adminCartResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier le panier d'un utilisateur",
    description: "Les articles envoyés remplacent ceux du panier.",
    body: adminCartChange,
    run: updateCart,
    reply: adminCartResource,
  }),
  DELETE: staffDelete({ summary: "Supprimer le panier d'un utilisateur", run: deleteCart }),
});
