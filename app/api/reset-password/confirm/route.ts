import { resetPassword } from "@/lib/auth/mutations";
import { resetInput } from "@/lib/auth/schemas";
import { PASSWORD_RESET } from "@/lib/auth/texts";
import { message } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/reset-password/confirm – sets a new password by the token of the mail
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint(
  "/api/reset-password/confirm",
  {
    POST: route({
      access: "public",
      summary: "Choisir un nouveau mot de passe",
      body: resetInput,
      errorsMap: true,
      refusals: [429],
      run: async ({ body: { token, password }, request }) => {
        await resetPassword({ token, password, network: networkOf(request) });
        return { message: PASSWORD_RESET };
      },
      reply: message(),
    }),
  },
);
