import { requireCreditNote } from "@/lib/credit-notes/admin";
import { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET /api/credit_notes/{id} – a credit note
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un avoir",
    params: idParams,
    run: ({ params }) => requireCreditNote({ id: params.id }),
    reply: creditNoteResource,
  }),
});
