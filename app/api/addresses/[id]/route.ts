import { adminAddresses } from "@/lib/addresses/admin";
import { itemHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/addresses/{id} – anybody's address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  itemHandlers(adminAddresses, {
    read: "Lire l'adresse d'un utilisateur",
    update: "Modifier l'adresse d'un utilisateur",
    remove: "Supprimer l'adresse d'un utilisateur",
  }),
);
