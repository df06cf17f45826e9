import { idParams } from "@/lib/http/api/ids";
import { endpoint, route } from "@/lib/http/api/route";
import { requireInvoice } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";

// GET /api/admin/invoices/{id} – one invoice
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint(
  "/api/admin/invoices/{id}",
  {
    GET: route({
      access: "admin",
      summary: "Lire une facture",
      params: idParams,
      run: ({ params }) => requireInvoice({ id: params.id }),
      reply: adminInvoiceResource,
    }),
  },
);
