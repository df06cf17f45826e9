import { POST as createUser } from "@/app/api/admin/users/route";
import { exportUsers, listUsers } from "@/lib/account/admin-list";
import { userResource } from "@/lib/account/admin-resource";
import { userListQuery } from "@/lib/account/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/users – the users, page by page
// POST /api/users – adds a user's account, as POST /api/admin/users
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les utilisateurs",
    query: userListQuery,
    run: ({ query }) => listUsers(query),
    csv: ({ query }) => exportUsers(query),
    reply: collectionOf(userResource),
  }),
  POST: createUser,
});
