import { z } from "zod";
import { listFields, sortable } from "@/lib/backoffice/list-query";
import { versionField } from "@/lib/backoffice/schemas";
import { USER_REQUIRED } from "@/lib/backoffice/texts";
import { relationField } from "@/lib/http/api/ids";
import { queryChoice, queryId } from "@/lib/http/api/query";
import { ADDRESS_TYPES } from "./rules";
import { addressChange, addressInput } from "./schemas";

/** The query of GET /api/addresses. */
export const addressListQuery = z.object({
  ...listFields,
  type: queryChoice(ADDRESS_TYPES, { description: "Livraison ou facturation" }).optional(),
  user: queryId("users", { description: "Utilisateur" }).optional(),
  ...sortable("id", "street", "city", "postalCode"),
});

const user = relationField({
  collection: "users",
  description: "Utilisateur",
  required: USER_REQUIRED,
});

/** The body of POST /api/addresses. */
export const adminAddressInput = addressInput.extend({ user });

/** The body of PUT /api/addresses/{id}: fields that are not sent stay unchanged. */
export const adminAddressChange = addressChange.extend({
  user: user.optional(),
  version: versionField,
});
