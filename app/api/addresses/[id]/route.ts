import { deleteAnyAddress, requireAnyAddress, updateAnyAddress } from "@/lib/addresses/admin";
import { adminAddressResource } from "@/lib/addresses/admin-resource";
import { adminAddressChange } from "@/lib/addresses/admin-schemas";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/addresses/{id} – anybody's address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire l'adresse d'un utilisateur",
    params: idParams,
    run: ({ params }) => requireAnyAddress({ id: params.id }),
    reply: adminAddressResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier l'adresse d'un utilisateur",
    params: idParams,
    body: adminAddressChange,
    refusals: [409],
    run: ({ user, params, body }) => updateAnyAddress({ actor: user, id: params.id, input: body }),
    reply: adminAddressResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer l'adresse d'un utilisateur",
    params: idParams,
    run: ({ user, params }) => deleteAnyAddress({ actor: user, id: params.id }),
    reply: 204,
  }),
});
