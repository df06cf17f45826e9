import { z } from "zod";
import { personResource, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import type { AdminReviewRow } from "./admin";
import { reviewResource } from "./resource";

const productSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
});

/** The part of a product that a review shows. */
const reviewedProductResource = resource({
  name: "Product",
  path: "/api/products",
  description: "Un produit",
  schema: productSchema,
  toJson: ({ id, name }: { id: number; name: string }) => ({ id, name }),
});

/** A review for administrators. */
export const adminReviewResource = resource({
  name: "Review",
  path: "/api/reviews",
  description: "L'avis d'un client sur un produit",
  schema: reviewResource.schema.extend({
    product: productSchema.describe("Produit"),
    user: personSchema.describe("Auteur"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  embedded: () => ({ product: reviewedProductResource, user: personResource }),
  toJson: (review: AdminReviewRow) => ({
    id: review.id,
    content: review.content,
    rating: review.rating,
    status: review.status,
    datePublication: isoDateTime(review.publishedAt),
    datePurchase: review.purchasedAt && isoDateTime(review.purchasedAt),
    rejectionReason: review.rejectionReason,
    product: review.product,
    user: personResource.toJson(review.user),
    version: review.version,
  }),
});
