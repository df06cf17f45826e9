import { methods } from "@/lib/http/api/route";
import { staffCreate } from "@/lib/http/api/staff";
import { adminInvoices } from "@/lib/invoices/admin";

// POST /api/admin/invoices_create – an invoice written by hand
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: staffCreate({
    summary: "Ajouter une facture",
    body: adminInvoices.input,
    run: adminInvoices.create,
    reply: adminInvoices.resource,
  }),
});
