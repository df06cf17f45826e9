import { updateAccount } from "@/lib/account/mutations";
import { requireAccount } from "@/lib/account/queries";
import { accountAnswer, accountJson } from "@/lib/account/resource";
import { profileInput } from "@/lib/account/schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// GET /api/account – one's own account
// PUT /api/account – changes one's names; the password or the e-mail address, if a new one is sent
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
    description: `Un nouveau mot de passe ferme toutes les autres sessions. Une nouvelle adresse e-mail reçoit un lien, l'ancienne un avis ; rien ne change avant que le lien soit ouvert. ${needsRecentLogin("Pour l'un comme pour l'autre")}`,
    body: profileInput,
    errorsMap: true,
    refusals: [403, 429],
    run: async ({ user, token, body: { nom, lastname, email, password }, request }) => {
      const changed = { lastName: nom, firstName: lastname, email, password };
      return accountJson(
        await updateAccount({ user, token, network: networkOf(request), ...changed }),
      );
    },
    reply: json(accountAnswer),
  }),
});
