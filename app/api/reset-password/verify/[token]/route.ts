import { z } from "zod";
import { isResetToken } from "@/lib/auth/queries";
import { tokenParams } from "@/lib/auth/schemas";
import { json } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";

const answer = z.object({ valid: z.boolean().describe("Le lien est-il encore valable ?") });

// GET /api/reset-password/verify/{token} – is the link of the mail still good?
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint(
  "/api/reset-password/verify/{token}",
  {
    GET: route({
      access: "public",
      summary: "Vérifier un lien de réinitialisation",
      params: tokenParams,
      run: async ({ params }) => ({ valid: await isResetToken(params.token) }),
      reply: json(answer),
    }),
  },
);
