import { deleteAddress, updateAddress } from "@/lib/addresses/mutations";
import { requireAddress } from "@/lib/addresses/queries";
import { addressResource } from "@/lib/addresses/resource";
import { addressChange } from "@/lib/addresses/schemas";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/addresses_front/{id} – one of the customer's addresses
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lire une de ses adresses",
    params: idParams,
    run: ({ user, params }) => requireAddress({ userId: user.id, id: params.id }),
    reply: addressResource,
  }),
  PUT: route({
    access: "user",
    summary: "Modifier une de ses adresses",
    params: idParams,
    body: addressChange,
    errorsMap: true,
    run: ({ user, params, body }) => updateAddress({ userId: user.id, id: params.id, ...body }),
    reply: addressResource,
  }),
  DELETE: route({
    access: "user",
    summary: "Supprimer une de ses adresses",
    params: idParams,
    run: ({ user, params }) => deleteAddress({ userId: user.id, id: params.id }),
    reply: 204,
  }),
});
