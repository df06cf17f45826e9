import { adminAddresses } from "@/lib/addresses/admin";
import { collectionHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";

// GET /api/addresses – everybody's addresses, page by page
// POST /api/addresses – adds an address for any user
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  collectionHandlers(adminAddresses, {
    list: "Lister les adresses de tous",
    create: "Ajouter une adresse à un utilisateur",
  }),
);
