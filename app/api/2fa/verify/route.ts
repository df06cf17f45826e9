import { deviceCookie, knownDevice } from "@/lib/auth/device";
import { verifyCode } from "@/lib/auth/login";
import { codeAnswer, sessionJson } from "@/lib/auth/resource";
import { codeInput } from "@/lib/auth/schemas";
import { needsRecentLogin } from "@/lib/auth/texts";
import { jsonWithHeaders } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/2fa/verify – the second step of a login, or the test of a code on the profile page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "pending-2fa",
    summary: "Vérifier un code 2FA",
    description: `Avec le jeton temporaire de la connexion : ouvre la session, cinq essais par jeton. Avec le jeton d'une session : essaie un code de l'application ; le premier bon code active la double authentification. ${needsRecentLogin("Avec le jeton d'une session")}`,
    body: codeInput,
    refusals: [403, 429],
    run: async ({ user, token, body: { code }, request }) => {
      const network = networkOf(request);
      const device = knownDevice({ request, email: user.email });
      const { isValid, session } = await verifyCode({ user, token, code, network, device });
      return {
        body: { valid: isValid, ...(session && sessionJson(session)) },
        headers: { ...(session && { "Set-Cookie": deviceCookie(user) }) },
      };
    },
    reply: jsonWithHeaders(codeAnswer),
  }),
});
