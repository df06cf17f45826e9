import { resetUserTwoFactor } from "@/lib/account/admin";
import { needsRecentLogin } from "@/lib/auth/texts";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// DELETE /api/admin/users/{id}/2fa – resets 2FA for a user without authenticator app and recovery codes
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: adminItem({
    summary: "Réinitialiser la double authentification d'un utilisateur",
    description: `Le mot de passe suffit de nouveau ; ferme toutes ses sessions et le prévient par e-mail. ${needsRecentLogin()}`,
    run: resetUserTwoFactor,
    reply: 204,
  }),
});
