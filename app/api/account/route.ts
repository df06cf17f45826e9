import { updateAccount } from "@/lib/account/mutations";
import { requireAccount } from "@/lib/account/queries";
import { accountAnswer, accountJson } from "@/lib/account/resource";
import { profileInput } from "@/lib/account/schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/account – one's own account
// PUT /api/account – changes one's names, and the password where one is sent
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lire son compte",
    run: async ({ user }) => accountJson({ account: await requireAccount({ userId: user.id }) }),
    reply: json(accountAnswer),
  }),
  PUT: route({
    access: "user",
    summary: "Modifier son compte",
    description: `Un nouveau mot de passe ferme toutes les autres sessions. ${needsRecentLogin("Pour lui")}`,
    body: profileInput,
    errorsMap: true,
    refusals: [403, 429],
    run: async ({ user, token, body: { nom, lastname, password } }) =>
      accountJson(
        await updateAccount({ user, token, lastName: nom, firstName: lastname, password }),
      ),
    reply: json(accountAnswer),
  }),
});
