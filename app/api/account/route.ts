import { updateAccount } from "@/lib/account/mutations";
import { requireAccount } from "@/lib/account/queries";
import { accountAnswer, accountJson } from "@/lib/account/resource";
import { profileInput } from "@/lib/account/schemas";
import { json } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";

// GET /api/account – one's own account
// PUT /api/account – changes one's names, and the password where one is sent
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint("/api/account", {
  GET: route({
    access: "user",
    summary: "Lire son compte",
    run: async ({ user }) => accountJson({ account: await requireAccount({ userId: user.id }) }),
    reply: json(accountAnswer),
  }),
  PUT: route({
    access: "user",
    summary: "Modifier son compte",
    body: profileInput,
    errorsMap: true,
    refusals: [429],
    run: async ({ user, body: { nom, lastname, password } }) =>
      accountJson(await updateAccount({ user, lastName: nom, firstName: lastname, password })),
    reply: json(accountAnswer),
  }),
});
