import { methods } from "@/lib/http/api/route";
import { staffUpdate } from "@/lib/http/api/staff";
import { updateInvoice } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { adminInvoiceChange } from "@/lib/invoices/admin-schemas";

// PUT /api/admin/invoices_update/{id} – change an invoice; its earlier state is kept
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: staffUpdate({
    summary: "Modifier une facture",
    description: "Son état antérieur est gardé.",
    body: adminInvoiceChange,
    run: updateInvoice,
    reply: adminInvoiceResource,
  }),
});
