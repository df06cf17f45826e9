import { z } from "zod";
import { integerField } from "@/lib/backoffice/schemas";
import { relationField } from "@/lib/http/api/ids";
import { paging } from "@/lib/http/api/paging";
import { queryChoice, queryId, queryInt, querySearch } from "@/lib/http/api/query";
import { CONTENT_LENGTH, cleanContent, isLongEnough, REVIEW_STATUSES } from "@/lib/reviews/rules";
import { CONTENT_TOO_SHORT, RATING_MISSING } from "@/lib/reviews/texts";
import { textField } from "@/lib/text/text-field";

const content = textField({
  description: "Commentaire",
  maxLength: CONTENT_LENGTH.max,
  clean: cleanContent,
  allowsBidiControls: true,
})
  .refine(isLongEnough, CONTENT_TOO_SHORT)
  .meta({
    description: "Commentaire",
    minLength: CONTENT_LENGTH.min,
    maxLength: CONTENT_LENGTH.max,
  });

// Accepts text, too: the value of a radio button is a string.
const rating = integerField({
  min: 1,
  max: 5,
  description: "Note, de 1 à 5",
  wrong: RATING_MISSING,
});

/** The fields of the review form. */
export const reviewFields = z.object({ content, rating });

/** The body of POST /api/reviews_create. */
export const reviewInput = z.object({
  content,
  rating,
  product: relationField({ collection: "products", description: "Produit" }),
});

/** The body of PUT /api/reviews_edit/{id}: fields that are not sent stay unchanged. */
export const reviewChange = z.object({ content, rating }).partial();

export type ReviewFields = z.output<typeof reviewFields>;

export const statusFilter = queryChoice(REVIEW_STATUSES, { description: "État" }).optional();

/** The query of GET /api/reviews. */
export const reviewQuery = z.object({
  product: queryId("products", {
    description: "Produit ; sans lui, tous les avis, pour les administrateurs",
  }).optional(),
  user: queryId("users", { description: "Auteur" }).optional(),
  status: statusFilter,
  rating: queryInt({ min: 0, max: 5, description: "Note" }).optional(),
  search: querySearch({ description: "Texte recherché" }).meta({ property: "content" }).optional(),
  "order[rating]": queryChoice(["asc", "desc"], { description: "Tri par note" })
    .meta({ property: "rating" })
    .optional(),
  "order[datePublication]": queryChoice(["asc", "desc"], {
    description: "Tri par date, les plus récents d'abord si rien n'est dit",
  })
    .meta({ property: "datePublication" })
    .optional(),
  ...paging,
});
