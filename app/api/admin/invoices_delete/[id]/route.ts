import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { adminInvoices } from "@/lib/invoices/admin";

// DELETE /api/admin/invoices_delete/{id} – removes an invoice from every list
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: adminItem({
    summary: "Supprimer une facture",
    description: "Elle reste archivée, et son numéro n'est plus donné.",
    run: adminInvoices.remove,
    reply: 204,
  }),
});
