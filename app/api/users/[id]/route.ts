import { PUT as changeUser } from "@/app/api/admin/users/[id]/route";
import { deleteUser } from "@/lib/account/admin";
import { adminUsers } from "@/lib/account/admin-list";
import { needsRecentLogin } from "@/lib/auth/texts";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/users/{id} – one user; PUT as PUT /api/admin/users/{id}; DELETE erases everything
// about the person
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire un utilisateur",
    run: adminUsers.one,
    reply: adminUsers.resource,
  }),
  PUT: changeUser,
  DELETE: adminItem({
    summary: "Supprimer un utilisateur",
    description: `Efface tout ce qui concerne la personne ; ses commandes et ses factures restent, sans elle. ${needsRecentLogin()}`,
    refusals: [409],
    run: deleteUser,
    reply: 204,
  }),
});
