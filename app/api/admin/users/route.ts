import { createUser } from "@/lib/account/admin";
import { userResource } from "@/lib/account/admin-resource";
import { newUserInput } from "@/lib/account/admin-schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { adminCreate } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// POST /api/admin/users – adds a user's account
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: adminCreate({
    summary: "Ajouter un utilisateur",
    description: needsRecentLogin("Pour un nouvel administrateur"),
    body: newUserInput,
    run: createUser,
    reply: userResource,
  }),
});
