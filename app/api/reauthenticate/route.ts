import { knownDevice } from "@/lib/auth/device";
import { reauthenticate } from "@/lib/auth/reauthentication";
import { reauthenticationAnswer } from "@/lib/auth/resource";
import { reauthenticationInput } from "@/lib/auth/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/reauthenticate – a token for sensitive changes, in exchange for a password or a code
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "S'authentifier de nouveau",
    description:
      "Avec le mot de passe ou, si la double authentification est active, un code : donne un jeton qui permet pendant dix minutes les changements sensibles. Ne ferme aucune session. Cinq codes faux par jeton.",
    body: reauthenticationInput,
    errorsMap: true,
    refusals: [429],
    run: async ({ user, token, body, request }) => {
      const network = networkOf(request);
      const device = knownDevice({ request, email: user.email });
      return { token: await reauthenticate({ user, token, network, device, ...body }) };
    },
    reply: json(reauthenticationAnswer),
  }),
});
