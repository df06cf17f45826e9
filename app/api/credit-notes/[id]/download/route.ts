import { answerCreditNote } from "@/lib/credit-notes/answer";
import { idParams } from "@/lib/http/api/ids";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { isAdmin } from "@/lib/roles";

// GET /api/credit-notes/{id}/download – a credit note as PDF
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Télécharger un avoir",
    rateLimit: { name: "invoice-pdf", points: 300, duration: 600 },
    params: idParams,
    refusals: [503],
    run: ({ user, params }) =>
      answerCreditNote({ id: params.id, userId: user.id, isAdmin: isAdmin(user) }),
    reply: file({ contentType: "application/pdf", description: "L'avoir, au format PDF" }),
  }),
});
