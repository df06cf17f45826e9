import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { versionParams } from "@/lib/invoices/admin-schemas";
import { answerInvoiceVersion } from "@/lib/invoices/answer";

// GET /api/admin/invoices/{id}/versions/{version}/download – an earlier version of an invoice as PDF
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Télécharger une version antérieure d'une facture",
    rateLimit: { name: "invoice-pdf", points: 300, duration: 600 },
    params: versionParams,
    refusals: [503],
    run: ({ params }) => answerInvoiceVersion(params),
    reply: file({ contentType: "application/pdf", description: "Cette version, au format PDF" }),
  }),
});
