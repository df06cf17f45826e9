import { needsRecentLogin, TWO_FACTOR_DEACTIVATED } from "@/lib/auth/texts";
import { deactivateTwoFactor } from "@/lib/auth/two-factor";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// POST /api/2fa/deactivate – switches 2FA off
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Désactiver la double authentification",
    description: needsRecentLogin(),
    refusals: [403],
    run: async ({ user, token }) => {
      await deactivateTwoFactor({ user, token });
      return { message: TWO_FACTOR_DEACTIVATED };
    },
    reply: message(),
  }),
});
