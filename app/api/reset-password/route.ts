import { knownDevice } from "@/lib/auth/device";
import { requestPasswordReset } from "@/lib/auth/mutations";
import { resetRequestInput } from "@/lib/auth/schemas";
import { RESET_REQUESTED } from "@/lib/auth/texts";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/reset-password – mails a link for a new password; never tells whether the account exists
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Demander un nouveau mot de passe",
    body: resetRequestInput,
    errorsMap: true,
    refusals: [429],
    run: async ({ body: { email }, request }) => {
      const device = knownDevice({ request, email });
      await requestPasswordReset({ email, network: networkOf(request), device });
      return { message: RESET_REQUESTED };
    },
    reply: message(),
  }),
});
