import { z } from "zod";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import type { OrderRefund, OrderRefunds } from "./queries";

const euros = (description: string) =>
  z.number().describe(`${description}, en euros, TVA comprise`);

export const refundSchema = z.object({
  id: z.int().describe("Identifiant"),
  amount: euros("Montant rendu"),
  status: z
    .enum(["pending", "succeeded", "failed"])
    .describe("En attente, fait, ou échoué : alors rien n'a été rendu"),
  creditNoteNumber: z
    .string()
    .nullable()
    .describe("Numéro de l'avoir, comme AV-2026-000001 ; null tant que l'argent n'est pas rendu"),
  creditNoteId: z.int().nullable().describe("Son identifiant"),
  origin: z
    .enum(["staff", "provider", "dispute"])
    .describe("Commencé par la boutique, chez le prestataire de paiement, ou par la banque"),
  shipping: euros("Part de la livraison"),
  deduction: euros("Ce qui manque au prix des articles et de la livraison"),
  restock: z.boolean().describe("Les articles retournent en stock"),
  reason: z.string().describe("Motif"),
  failure: z.string().nullable().describe("Pourquoi il a échoué"),
  items: z
    .array(
      z.object({
        item: z.int().describe("Identifiant de l'article dans la commande"),
        name: z.string().describe("Nom"),
        quantity: z.int().describe("Nombre de pièces"),
        amount: euros("Prix, sans déduction"),
      }),
    )
    .describe("Articles remboursés"),
  author: z
    .object({ id: z.int(), name: z.string(), lastname: z.string() })
    .nullable()
    .describe("Qui l'a commencé dans la boutique"),
  createdAt: z.string().describe("Date de la demande, ISO 8601"),
  settledAt: z.string().nullable().describe("Date à laquelle il a été fait ou a échoué"),
});

/** Cents deducted from the price of the refunded parts; 0 for goodwill, which exceeds that price. */
const deductionOf = ({ lines, shippingCents, amountCents }: OrderRefund) =>
  Math.max(0, lines.reduce((sum, line) => sum + line.amountCents, shippingCents) - amountCents);

export const refundResource = resource({
  name: "Refund",
  path: null,
  description: "Un remboursement",
  schema: refundSchema,
  toJson: (refund: OrderRefund) => ({
    id: refund.id,
    amount: eurosFromCents(refund.amountCents),
    status: refund.status,
    creditNoteNumber: refund.creditNoteNumber,
    creditNoteId: refund.creditNoteId,
    origin: refund.origin,
    shipping: eurosFromCents(refund.shippingCents),
    deduction: eurosFromCents(deductionOf(refund)),
    restock: refund.restock,
    reason: refund.reason,
    failure: refund.status === "failed" ? refund.failure : null,
    items: refund.lines.map(({ item, name, quantity, amountCents }) => ({
      item,
      name,
      quantity,
      amount: eurosFromCents(amountCents),
    })),
    author: refund.author && {
      id: refund.author.id,
      name: refund.author.lastName,
      lastname: refund.author.firstName,
    },
    createdAt: isoDateTime(refund.createdAt),
    settledAt: refund.settledAt && isoDateTime(refund.settledAt),
  }),
});

/** The response to GET /api/admin_orders/{id}/refunds. */
export const orderRefundsSchema = z.object({
  id: z.int().describe("Identifiant de la commande"),
  number: z.string().describe("Son numéro, comme CMD-2026-000001"),
  isPaid: z.boolean().describe("A-t-elle été payée par carte dans la boutique ?"),
  total: euros("Montant de la commande"),
  refundedTotal: euros("Déjà rendu"),
  left: z
    .object({
      amount: euros("Montant"),
      shipping: euros("Livraison"),
      isUnsent: z
        .boolean()
        .describe("Ses objets, s'il y en a, sont-ils tous encore dans la boutique ?"),
      items: z.array(
        z.object({
          item: z.int().describe("Identifiant de l'article dans la commande"),
          name: z.string().describe("Nom"),
          price: euros("Prix d'une pièce"),
          quantity: z.int().describe("Pièces achetées"),
          left: z.int().describe("Pièces qui peuvent encore être remboursées"),
        }),
      ),
    })
    .describe("Ce qui peut encore être rendu"),
  refunds: z.array(refundSchema).describe("Les remboursements, du plus récent au plus ancien"),
});

export type OrderRefundsJson = z.output<typeof orderRefundsSchema>;
export type RefundJson = z.output<typeof refundSchema>;

export const orderRefundsJson = ({ order, refunds, left }: OrderRefunds): OrderRefundsJson => ({
  id: order.id,
  number: order.number,
  isPaid: order.paymentIntentId !== null,
  total: eurosFromCents(order.totalCents),
  refundedTotal: eurosFromCents(order.refundedCents),
  left: {
    amount: eurosFromCents(left.amountCents),
    shipping: eurosFromCents(left.shippingCents),
    isUnsent: left.isUnsent,
    items: left.lines.map((line) => ({
      item: line.id,
      name: line.name,
      price: eurosFromCents(line.unitPriceCents),
      quantity: line.quantity,
      left: line.left,
    })),
  },
  refunds: refunds.map(refundResource.toJson),
});
