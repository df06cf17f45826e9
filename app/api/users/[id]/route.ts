import { deleteUser } from "@/lib/account/admin";
import { requireUser } from "@/lib/account/admin-list";
import { userResource } from "@/lib/account/admin-resource";
import { needsRecentLogin } from "@/lib/auth/texts";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, DELETE /api/users/{id} – one user; deleting erases everything about the person
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un utilisateur",
    params: idParams,
    run: ({ params }) => requireUser({ id: params.id }),
    reply: userResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer un utilisateur",
    description: `Efface tout ce qui concerne la personne ; ses commandes et ses factures restent, sans elle. ${needsRecentLogin()}`,
    params: idParams,
    refusals: [409],
    run: ({ user, token, params }) => deleteUser({ actor: user, token, id: params.id }),
    reply: 204,
  }),
});
