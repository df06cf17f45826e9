import { adminCreate } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { adminInvoices } from "@/lib/invoices/admin";

// POST /api/admin/invoices_create – an invoice written by hand
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: adminCreate({
    summary: "Ajouter une facture",
    body: adminInvoices.input,
    run: adminInvoices.create,
    reply: adminInvoices.resource,
  }),
});
