import { adminUsers } from "@/lib/account/admin-list";
import { userResource } from "@/lib/account/admin-resource";
import { userChoiceQuery } from "@/lib/account/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/users-without-cart – the users without a cart, for whom one can be added
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les utilisateurs sans panier",
    query: userChoiceQuery,
    run: ({ query }) => adminUsers.page({ ...query, withoutCart: true }),
    reply: collectionOf(userResource, { path: "/api/users-without-cart" }),
  }),
});
