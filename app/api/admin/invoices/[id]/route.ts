import { DELETE as archiveInvoice } from "@/app/api/admin/invoices_delete/[id]/route";
import { PUT as changeInvoice } from "@/app/api/admin/invoices_update/[id]/route";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { adminInvoices } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";

// GET, PUT, DELETE /api/admin/invoices/{id} – one invoice; changed as by invoices_update and _delete
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire une facture",
    run: adminInvoices.one,
    reply: adminInvoiceResource,
  }),
  PUT: changeInvoice,
  DELETE: archiveInvoice,
});
