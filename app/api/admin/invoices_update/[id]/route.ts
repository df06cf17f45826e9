import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { adminInvoices } from "@/lib/invoices/admin";

// PUT /api/admin/invoices_update/{id} – changes an invoice; its previous version is kept
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: adminItem({
    summary: "Modifier une facture",
    description:
      "La version antérieure est gardée. Une facture payée devient une facture rectificative du même numéro, qui annule et remplace cette version ; l'argent se rend par un remboursement, et les remboursements comptent toujours avec ce qui a été payé.",
    body: adminInvoices.change,
    run: adminInvoices.update,
    reply: adminInvoices.resource,
  }),
});
