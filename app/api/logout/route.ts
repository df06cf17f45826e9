import { revokeTokens } from "@/lib/auth/mutations";
import { methods, route } from "@/lib/http/api/route";

// POST /api/logout – ends the sessions of the user, in all browsers
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Se déconnecter",
    description: "Tous les jetons de l'utilisateur cessent de valoir.",
    run: ({ user }) => revokeTokens({ userId: user.id }),
    reply: 204,
  }),
});
