import { exportCreditNotes, listCreditNotes } from "@/lib/credit-notes/admin";
import { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import { creditNoteListQuery } from "@/lib/credit-notes/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/credit_notes – all credit notes, page by page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les avoirs",
    query: creditNoteListQuery,
    run: ({ query }) => listCreditNotes(query),
    csv: ({ query }) => exportCreditNotes(query),
    reply: collectionOf(creditNoteResource),
  }),
});
