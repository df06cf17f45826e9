import { methods, route } from "@/lib/http/api/route";
import { createInvoiceByHand } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { adminInvoiceInput } from "@/lib/invoices/admin-schemas";

// POST /api/admin/invoices_create – an invoice written by hand
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Ajouter une facture",
    body: adminInvoiceInput,
    run: ({ user, body }) => createInvoiceByHand({ actor: user, input: body }),
    reply: adminInvoiceResource,
  }),
});
