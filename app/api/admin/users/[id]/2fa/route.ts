import { resetUserTwoFactor } from "@/lib/account/admin";
import { needsRecentLogin } from "@/lib/auth/texts";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// DELETE /api/admin/users/{id}/2fa – for somebody who has lost their app and recovery codes
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: route({
    access: "admin",
    summary: "Réinitialiser la double authentification d'un utilisateur",
    description: `Le mot de passe suffit de nouveau ; ferme toutes ses sessions et le prévient par e-mail. ${needsRecentLogin()}`,
    params: idParams,
    run: ({ user, token, params }) => resetUserTwoFactor({ actor: user, token, id: params.id }),
    reply: 204,
  }),
});
