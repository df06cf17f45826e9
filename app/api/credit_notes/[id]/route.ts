import { adminCreditNotes } from "@/lib/credit-notes/admin";
import { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// GET /api/credit_notes/{id} – a credit note
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire un avoir",
    run: adminCreditNotes.one,
    reply: creditNoteResource,
  }),
});
