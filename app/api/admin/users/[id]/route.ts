import { updateUser } from "@/lib/account/admin";
import { userResource } from "@/lib/account/admin-resource";
import { userChange } from "@/lib/account/admin-schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// PUT /api/admin/users/{id} – change a user's account
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: route({
    access: "admin",
    summary: "Modifier un utilisateur",
    description: `De nouveaux rôles, indicateurs ou mot de passe ferment toutes ses sessions. ${needsRecentLogin("Pour d'autres rôles, une autre adresse e-mail, un mot de passe ou un jeton")}`,
    params: idParams,
    body: userChange,
    refusals: [409],
    run: ({ user, token, params, body }) =>
      updateUser({ actor: user, token, id: params.id, input: body }),
    reply: userResource,
  }),
});
