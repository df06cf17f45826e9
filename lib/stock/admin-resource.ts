import { z } from "zod";
import { orderRefSchema, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import type { MovementRow } from "./admin";

export const movementResource = resource({
  name: "StockMovement",
  path: null,
  description: "Une entrée ou une sortie de stock",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    kind: z
      .enum(["sale", "return", "correction", "import"])
      .describe("Vente, retour, correction ou import"),
    quantity: z.int().describe("Exemplaires entrés, ou sortis s'il est négatif"),
    reason: z.string().nullable().describe("Raison d'une correction"),
    order: orderRefSchema.nullable().describe("Commande d'une vente ou d'un retour"),
    user: personSchema
      .omit({ email: true })
      .nullable()
      .describe("Qui l'a fait, pour une correction ou un import"),
    date: z.string().describe("Date, ISO 8601"),
  }),
  toJson: ({ createdAt, order, actor, ...row }: MovementRow) => ({
    id: row.id,
    kind: row.kind,
    quantity: row.quantity,
    reason: row.reason,
    order,
    user: actor && { id: actor.id, name: actor.lastName, lastname: actor.firstName },
    date: isoDateTime(createdAt),
  }),
});

/** The response to a correction. */
export const correctedStock = z.object({
  message: z.string().describe("Phrase à montrer"),
  stock: z.int().describe("Exemplaires en stock"),
});

/** The response to an import. */
export const importedStock = z.object({
  message: z.string().describe("Phrase à montrer"),
  changed: z.int().describe("Nombre de produits dont le stock a changé"),
  unchanged: z.int().describe("Nombre de produits dont le stock était déjà celui du fichier"),
});
