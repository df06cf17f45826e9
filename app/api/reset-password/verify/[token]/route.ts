import { z } from "zod";
import { checkResetToken } from "@/lib/auth/mutations";
import { tokenParams } from "@/lib/auth/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

const answer = z.object({ valid: z.boolean().describe("Le lien est-il encore valable ?") });

// GET /api/reset-password/verify/{token} – says whether the mailed link is still valid
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Vérifier un lien de réinitialisation",
    params: tokenParams,
    refusals: [429],
    run: async ({ params: { token }, request }) => ({
      valid: await checkResetToken({ token, network: networkOf(request) }),
    }),
    reply: json(answer),
  }),
});
