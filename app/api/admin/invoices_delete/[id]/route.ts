import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { archiveInvoice } from "@/lib/invoices/admin";

// DELETE /api/admin/invoices_delete/{id} – take an invoice out of every list
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: route({
    access: "admin",
    summary: "Supprimer une facture",
    description: "Elle reste archivée, et son numéro n'est plus donné.",
    params: idParams,
    run: ({ user, params }) => archiveInvoice({ actor: user, id: params.id }),
    reply: 204,
  }),
});
