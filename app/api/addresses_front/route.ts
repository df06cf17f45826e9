import { createAddress } from "@/lib/addresses/mutations";
import { listAddresses } from "@/lib/addresses/queries";
import { addressResource } from "@/lib/addresses/resource";
import { addressInput } from "@/lib/addresses/schemas";
import { plainArrayPart, plainArrayQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/addresses_front – the customer's addresses
// POST /api/addresses_front – adds an address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lister ses adresses",
    query: plainArrayQuery,
    run: ({ user, query }) => listAddresses({ userId: user.id, ...plainArrayPart(query) }),
    reply: collectionOf(addressResource, { plainArray: true }),
  }),
  POST: route({
    access: "user",
    summary: "Ajouter une adresse",
    body: addressInput,
    errorsMap: true,
    run: ({ user, body }) => createAddress({ userId: user.id, ...body }),
    reply: addressResource,
  }),
});
