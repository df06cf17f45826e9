import { listHandlers } from "@/lib/backoffice/routes";
import { adminCreditNotes } from "@/lib/credit-notes/admin";
import { methods } from "@/lib/http/api/route";

// GET /api/credit_notes – all credit notes, page by page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  listHandlers(adminCreditNotes, "Lister les avoirs"),
);
