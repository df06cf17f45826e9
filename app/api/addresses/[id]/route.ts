import { deleteAnyAddress, requireAnyAddress, updateAnyAddress } from "@/lib/addresses/admin";
import { adminAddressResource } from "@/lib/addresses/admin-resource";
import { adminAddressChange } from "@/lib/addresses/admin-schemas";
import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";

// GET, PUT, DELETE /api/addresses/{id} – anybody's address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire l'adresse d'un utilisateur",
    run: requireAnyAddress,
    reply: adminAddressResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier l'adresse d'un utilisateur",
    body: adminAddressChange,
    run: updateAnyAddress,
    reply: adminAddressResource,
  }),
  DELETE: staffDelete({ summary: "Supprimer l'adresse d'un utilisateur", run: deleteAnyAddress }),
});
