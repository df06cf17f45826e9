import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { requireInvoice } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";

// GET /api/admin/invoices/{id} – one invoice
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire une facture",
    params: idParams,
    run: ({ params }) => requireInvoice({ id: params.id }),
    reply: adminInvoiceResource,
  }),
});
