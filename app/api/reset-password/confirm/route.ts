import { deviceCookie } from "@/lib/auth/device";
import { resetPassword } from "@/lib/auth/mutations";
import { resetInput } from "@/lib/auth/schemas";
import { PASSWORD_RESET } from "@/lib/auth/texts";
import { jsonWithHeaders, messageAnswer } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/reset-password/confirm – sets a new password by the token of the mail
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Choisir un nouveau mot de passe",
    body: resetInput,
    errorsMap: true,
    refusals: [429],
    run: async ({ body: { token, password }, request }) => {
      const email = await resetPassword({ token, password, network: networkOf(request) });
      // With the cookie, the owner can log in even while somebody else keeps guessing the password.
      return {
        body: { message: PASSWORD_RESET },
        headers: { "Set-Cookie": deviceCookie({ email }) },
      };
    },
    reply: jsonWithHeaders(messageAnswer),
  }),
});
