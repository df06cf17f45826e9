import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { updateInvoice } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { adminInvoiceChange } from "@/lib/invoices/admin-schemas";

// PUT /api/admin/invoices_update/{id} – change an invoice; its earlier state is kept
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: route({
    access: "admin",
    summary: "Modifier une facture",
    description: "Son état antérieur est gardé.",
    params: idParams,
    body: adminInvoiceChange,
    refusals: [409],
    run: ({ user, params, body }) => updateInvoice({ actor: user, id: params.id, input: body }),
    reply: adminInvoiceResource,
  }),
});
