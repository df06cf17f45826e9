import { deviceCookie, knownDevice } from "@/lib/auth/device";
import { logIn } from "@/lib/auth/login";
import { loginAnswer, loginJson } from "@/lib/auth/resource";
import { loginInput } from "@/lib/auth/schemas";
import { jsonWithHeaders } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/login_check – opens a session, or asks for the 2FA code
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Se connecter",
    body: loginInput,
    refusals: [401, 429],
    run: async ({ body: { username: email, password }, request }) => {
      const device = knownDevice({ request, email });
      const login = await logIn({ email, password, network: networkOf(request), device });
      return {
        body: loginJson(login),
        headers: { ...("token" in login && { "Set-Cookie": deviceCookie({ email }) }) },
      };
    },
    reply: jsonWithHeaders(loginAnswer),
  }),
});
