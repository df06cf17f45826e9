import { activationAnswer } from "@/lib/auth/resource";
import { needsRecentLogin } from "@/lib/auth/texts";
import { activateTwoFactor } from "@/lib/auth/two-factor";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// POST /api/2fa/activate – a secret for the authenticator app; a tested code then activates 2FA
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Préparer la double authentification",
    description: needsRecentLogin(),
    rateLimit: { name: "2fa-activate", points: 20, duration: 3600 },
    refusals: [403, 409],
    run: ({ user, token }) => activateTwoFactor({ user, token }),
    reply: json(activationAnswer),
  }),
});
