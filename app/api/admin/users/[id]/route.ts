import { updateUser } from "@/lib/account/admin";
import { userResource } from "@/lib/account/admin-resource";
import { userChange } from "@/lib/account/admin-schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// PUT /api/admin/users/{id} – changes a user's account
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: adminItem({
    summary: "Modifier un utilisateur",
    description: `De nouveaux rôles, indicateurs ou mot de passe ferment toutes ses sessions. ${needsRecentLogin("Pour d'autres rôles, une autre adresse e-mail, un mot de passe ou un jeton")}`,
    body: userChange,
    run: updateUser,
    reply: userResource,
  }),
});
