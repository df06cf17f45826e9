import { methods } from "@/lib/http/api/route";
import { staffRead } from "@/lib/http/api/staff";
import { requireInvoice } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";

// GET /api/admin/invoices/{id} – one invoice
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({ summary: "Lire une facture", run: requireInvoice, reply: adminInvoiceResource }),
});
