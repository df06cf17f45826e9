import { z } from "zod";
import { dateRange, listFields, sortable } from "@/lib/backoffice/list-query";
import { queryId } from "@/lib/http/api/query";

/** The query of GET /api/credit_notes. */
export const creditNoteListQuery = z.object({
  ...listFields,
  ...dateRange,
  user: queryId("users", { description: "Client" }).optional(),
  order: queryId("orders", { description: "Commande" }).optional(),
  ...sortable("id", "date"),
});
