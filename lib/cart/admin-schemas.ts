import { z } from "zod";
import { listFields, sortable } from "@/lib/backoffice/list-query";
import { itemsField, versionField } from "@/lib/backoffice/schemas";
import { relationField } from "@/lib/http/api/ids";
import { queryId } from "@/lib/http/api/query";
import { REQUIRED } from "@/lib/text/texts";
import { MAX_LINES, MAX_QUANTITY } from "./limits";

/** The query of GET /api/carts. */
export const cartListQuery = z.object({
  ...listFields,
  user: queryId("users", { description: "Client" }).optional(),
  ...sortable("id", "updatedAt"),
});

const user = relationField({
  collection: "users",
  description: "Utilisateur",
  required: REQUIRED,
});
const items = itemsField({ max: MAX_QUANTITY, maxItems: MAX_LINES });

/** The body of POST /api/carts. */
export const adminCartInput = z.object({ user, items: items.default([]) });

/** The body of PUT /api/carts/{id}: fields that are not sent stay unchanged; `items` replaces all lines. */
export const adminCartChange = z
  .object({ user, items })
  .partial()
  .extend({ version: versionField });
