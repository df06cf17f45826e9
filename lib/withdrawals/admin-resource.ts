import { z } from "zod";
import { WITHDRAWAL_STATES } from "@/db/schema/withdrawals";
import { personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import type { WithdrawalRow } from "./admin";

const date = z.string().describe("Date, ISO 8601");

export const withdrawalResource = resource({
  name: "Withdrawal",
  path: "/api/withdrawals",
  description: "La rétractation d'un acheteur",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    state: z.enum(WITHDRAWAL_STATES).describe("Reçue, remboursée ou refusée"),
    order: z
      .object({
        id: z.int().nullable().describe("Identifiant ; null si elle a été supprimée"),
        number: z.string().nullable().describe("Numéro, comme CMD-2026-000001"),
        date: date.nullable(),
        total: z.number().nullable().describe("Montant en euros, TVA comprise"),
        hasFiles: z.boolean().describe("Comporte-t-elle aussi des fichiers ?"),
      })
      .describe("Commande"),
    buyer: personSchema
      .omit({ id: true })
      .nullable()
      .describe("Acheteur ; null si son compte a été effacé"),
    objects: z
      .array(
        z.object({
          name: z.string().describe("Nom"),
          quantity: z.int().describe("Nombre de pièces"),
          price: z.number().describe("Prix d'une pièce en euros, TVA comprise"),
        }),
      )
      .describe("Les objets de la commande"),
    orderItems: z
      .array(
        z.object({
          item: z.int().describe("Identifiant"),
          name: z.string().describe("Nom"),
          quantity: z.int().describe("Nombre de pièces"),
        }),
      )
      .describe("Les lignes de ces objets dans la commande ; aucune si elle a été supprimée"),
    items: z
      .string()
      .nullable()
      .describe("Ceux dont il s'agit, dans les mots de l'acheteur ; vide pour tous"),
    receivedAt: date.describe("Date de la rétractation, ISO 8601"),
    refundBy: date.nullable().describe("Dernier jour pour rembourser, ISO 8601"),
    settledAt: date.nullable().describe("Date du remboursement ou du refus, ISO 8601"),
    refusalReason: z.string().nullable().describe("Motif du refus"),
  }),
  toJson: (row: WithdrawalRow) => ({
    id: row.id,
    state: row.state,
    order: {
      id: row.orderId,
      number: row.orderNumber,
      date: row.orderedAt && isoDateTime(row.orderedAt),
      total: row.totalCents === null ? null : eurosFromCents(row.totalCents),
      hasFiles: row.lines.some(({ productType }) => productType === "digital"),
    },
    buyer:
      row.buyerEmail === null
        ? null
        : {
            name: row.buyerLastName ?? "",
            lastname: row.buyerFirstName ?? "",
            email: row.buyerEmail,
          },
    objects: (row.objects ?? []).map(({ name, quantity, unitPriceCents }) => ({
      name,
      quantity,
      price: eurosFromCents(unitPriceCents),
    })),
    orderItems: row.lines
      .filter(({ productType }) => productType === "physical")
      .map(({ id, name, quantity }) => ({ item: id, name, quantity })),
    items: row.items,
    receivedAt: isoDateTime(row.createdAt),
    refundBy: row.refundBy && isoDateTime(row.refundBy),
    settledAt: row.settledAt && isoDateTime(row.settledAt),
    refusalReason: row.refusalReason,
  }),
});
