import { methods } from "@/lib/http/api/route";
import { staffDelete } from "@/lib/http/api/staff";
import { adminInvoices } from "@/lib/invoices/admin";

// DELETE /api/admin/invoices_delete/{id} – removes an invoice from every list
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: staffDelete({
    summary: "Supprimer une facture",
    description: "Elle reste archivée, et son numéro n'est plus donné.",
    run: adminInvoices.remove,
  }),
});
