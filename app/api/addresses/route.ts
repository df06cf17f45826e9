import { createAddressFor, exportAddresses, listAllAddresses } from "@/lib/addresses/admin";
import { adminAddressResource } from "@/lib/addresses/admin-resource";
import { addressListQuery, adminAddressInput } from "@/lib/addresses/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/addresses – everybody's addresses, page by page
// POST /api/addresses – adds an address for any user
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les adresses de tous",
    query: addressListQuery,
    run: ({ query }) => listAllAddresses(query),
    csv: ({ query }) => exportAddresses(query),
    reply: collectionOf(adminAddressResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter une adresse à un utilisateur",
    body: adminAddressInput,
    run: ({ user, body }) => createAddressFor({ actor: user, input: body }),
    reply: adminAddressResource,
  }),
});
