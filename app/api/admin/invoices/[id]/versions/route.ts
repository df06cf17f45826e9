import { adminItem } from "@/lib/http/api/admin";
import { json } from "@/lib/http/api/reply";
import { methods } from "@/lib/http/api/route";
import { invoiceVersionsJson, invoiceVersionsSchema } from "@/lib/invoices/admin-resource";
import { listInvoiceVersions } from "@/lib/invoices/versions";

// GET /api/admin/invoices/{id}/versions – the earlier versions of an invoice, newest first
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire les versions antérieures d'une facture",
    run: async ({ id }) => invoiceVersionsJson(await listInvoiceVersions({ id })),
    reply: json(invoiceVersionsSchema),
  }),
});
