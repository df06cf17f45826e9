import { z } from "zod";
import { dateRange, listFields, sortable } from "@/lib/backoffice/list-query";
import { integerField, versionField } from "@/lib/backoffice/schemas";
import { relationField } from "@/lib/http/api/ids";
import { queryId, queryInt } from "@/lib/http/api/query";
import { CONTENT_LENGTH, cleanContent, REVIEW_STATUSES } from "@/lib/reviews/rules";
import { statusFilter } from "@/lib/reviews/schemas";
import { RATING_MISSING } from "@/lib/reviews/texts";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";

/** The query of GET /api/reviews for administrators, without a product. */
export const reviewListQuery = z.object({
  ...listFields,
  ...dateRange,
  // With a product app/api/reviews returns another list; here the parameter only documents the filter.
  product: queryId("products", {
    description: "Produit : alors seuls ses avis validés et les vôtres",
  }).optional(),
  status: statusFilter,
  rating: queryInt({ min: 0, max: 5, description: "Note" }).optional(),
  user: queryId("users", { description: "Auteur" }).optional(),
  ...sortable("id", "rating", "datePublication"),
});

/** Characters. */
export const REJECTION_REASON_LENGTH = 500;

const fields = {
  product: relationField({ collection: "products", description: "Produit" }),
  user: relationField({ collection: "users", description: "Auteur" }),
  status: z.enum(REVIEW_STATUSES).describe("En attente, validé ou rejeté"),
  content: textField({
    description: "Commentaire",
    required: REQUIRED,
    maxLength: CONTENT_LENGTH.max,
    clean: cleanContent,
    allowsBidiControls: true,
  }),
  // An administrator may store 0 stars.
  rating: integerField({ min: 0, max: 5, description: "Note, de 0 à 5", wrong: RATING_MISSING }),
  rejectionReason: z
    .string()
    .trim()
    .max(REJECTION_REASON_LENGTH)
    .nullish()
    .describe("Motif d'un rejet, montré à l'auteur"),
};

/** The body of POST /api/reviews. */
export const adminReviewInput = z.object({ ...fields, status: fields.status.default("PENDING") });

/** The body of PUT /api/reviews/{id}: fields that are not sent stay unchanged. */
export const adminReviewChange = z.object(fields).partial().extend({ version: versionField });
