import { idParams } from "@/lib/http/api/ids";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { answerInvoice } from "@/lib/invoices/answer";
import { isAdmin } from "@/lib/roles";

// GET /api/invoices/{id}/download – an invoice as PDF
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Télécharger une facture",
    rateLimit: { name: "invoice-pdf", points: 300, duration: 600 },
    params: idParams,
    refusals: [503],
    run: ({ user, params }) =>
      answerInvoice({ id: params.id, userId: user.id, isAdmin: isAdmin(user) }),
    reply: file({ contentType: "application/pdf", description: "La facture, au format PDF" }),
  }),
});
