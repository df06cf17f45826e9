import { adminCreditNotes } from "@/lib/credit-notes/admin";
import { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import { methods } from "@/lib/http/api/route";
import { staffRead } from "@/lib/http/api/staff";

// GET /api/credit_notes/{id} – a credit note
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire un avoir",
    run: adminCreditNotes.one,
    reply: creditNoteResource,
  }),
});
