import { z } from "zod";
import { verifyEmail } from "@/lib/auth/registration";
import { tokenParams } from "@/lib/auth/schemas";
import { VERIFIED, WRONG_CONFIRMATION } from "@/lib/auth/texts";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

const answer = z.object({
  valid: z.boolean().describe("L'adresse est-elle vérifiée ?"),
  message: z.string().describe("Phrase à montrer"),
});

// GET /api/verify-email/{token} – confirms an e-mail address by the mailed link
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Vérifier une adresse e-mail",
    params: tokenParams,
    refusals: [429],
    run: async ({ params: { token }, request }) => {
      const valid = await verifyEmail({ token, network: networkOf(request) });
      return { valid, message: valid ? VERIFIED : WRONG_CONFIRMATION };
    },
    reply: json(answer),
  }),
});
