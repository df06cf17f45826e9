import { createUser } from "@/lib/account/admin";
import { userResource } from "@/lib/account/admin-resource";
import { newUserInput } from "@/lib/account/admin-schemas";
import { endpoint, route } from "@/lib/http/api/route";

// POST /api/admin/users – open an account for somebody
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint("/api/admin/users", {
  POST: route({
    access: "admin",
    summary: "Ajouter un utilisateur",
    body: newUserInput,
    run: ({ user, body }) => createUser({ actor: user, input: body }),
    reply: userResource,
  }),
});
