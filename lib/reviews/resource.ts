import { z } from "zod";
import { isoDateTime } from "@/lib/dates";
import { iriOf, resource } from "@/lib/http/api/resource";
import { initialOf, REVIEW_STATUSES } from "@/lib/reviews/rules";
import type { ReviewRow } from "./queries";

const authorSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z
    .string()
    .describe("Nom ; son initiale seule, pour qui n'est ni l'auteur ni administrateur"),
  lastname: z.string().describe("Prénom"),
});

/** A review for visitors of the shop; its author and administrators also see the private fields. */
export const reviewResource = resource({
  name: "Review",
  path: "/api/reviews",
  description: "L'avis d'un client sur un produit qu'il a acheté",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    content: z.string().describe("Commentaire"),
    rating: z.int().describe("Note, de 1 à 5 (0 pour un avis saisi par un administrateur)"),
    status: z.enum(REVIEW_STATUSES).describe("En attente, validé ou rejeté"),
    datePublication: z.string().describe("Date de publication, ISO 8601"),
    datePurchase: z.string().nullable().describe("Date de l'achat, ISO 8601"),
    rejectionReason: z
      .string()
      .nullable()
      .describe("Motif du rejet, pour l'auteur et les administrateurs"),
    product: iriOf("products").describe("Adresse du produit"),
    user: authorSchema.describe("Auteur"),
  }),
  toJson: (row: ReviewRow) => ({
    id: row.id,
    content: row.content,
    rating: row.rating,
    status: row.status,
    datePublication: isoDateTime(row.publishedAt),
    datePurchase: row.purchasedAt && isoDateTime(row.purchasedAt),
    rejectionReason: row.hasFullAccess ? row.rejectionReason : null,
    product: `/api/products/${row.productId}`,
    user: {
      id: row.author.id,
      name: row.hasFullAccess ? row.author.lastName : initialOf(row.author.lastName),
      lastname: row.author.firstName,
    },
  }),
});
