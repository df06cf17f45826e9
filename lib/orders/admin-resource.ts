import { z } from "zod";
import { itemResource, personResource, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { ORDER_STATUSES } from "@/lib/shop/order-status";
import type { AdminOrderLine, AdminOrderRow, ChartOrder } from "./admin";
import { adminOrderShipmentResource } from "./resource";

const item = {
  name: "AdminOrderItem",
  description: "Une ligne d'une commande, pour les administrateurs",
  product: "Le produit, au nom et au prix auxquels il a été acheté",
};
const listedItemResource = itemResource(item);

const adminOrderItemResource = resource({
  ...item,
  path: null,
  schema: listedItemResource.schema.extend({
    shippedQuantity: z.int().describe("Nombre de pièces qui sont parties"),
    toSend: z.int().describe("Nombre de pièces qui restent à envoyer"),
  }),
  embedded: listedItemResource.embedded,
  toJson: (line: AdminOrderLine) => ({
    ...listedItemResource.toJson(line),
    shippedQuantity: line.shippedQuantity,
    toSend: line.toSend,
  }),
});

const buyerSchema = personSchema.omit({ id: true });

export const adminOrderResource = resource({
  name: "AdminOrder",
  path: "/api/admin_orders",
  description: "Une commande, pour les administrateurs",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    number: z.string().describe("Numéro, comme CMD-2026-000001"),
    user: personSchema.nullable().describe("Client ; null si son compte a été effacé"),
    buyer: buyerSchema.describe("Le client tel qu'il était en commandant"),
    orderItems: z.array(adminOrderItemResource.schema).describe("Les lignes"),
    total: z.number().describe("Montant en euros, TVA comprise"),
    shippingMethod: z.string().nullable().describe("Mode de livraison choisi, s'il y en a un"),
    shippingTotal: z.number().describe("Prix de la livraison en euros, compris dans le total"),
    refundedTotal: z.number().describe("Montant remboursé jusqu'ici en euros"),
    isRefundable: z.boolean().describe("A-t-elle été payée par carte dans la boutique ?"),
    isDisputed: z.boolean().describe("Le paiement est-il contesté auprès de la banque ?"),
    date: z.string().describe("Date de la commande, ISO 8601"),
    status: z.enum(ORDER_STATUSES).describe("État"),
    itemsCount: z.int().describe("Nombre de pièces"),
    shippedItems: z.int().describe("Nombre de pièces qui sont parties, fichiers compris"),
    withdrawnAt: z
      .string()
      .nullable()
      .describe("Date de la rétractation à laquelle il reste à donner suite, ISO 8601"),
    shipments: z.array(adminOrderShipmentResource.schema).describe("Les colis"),
    shippingAddress: z
      .object({
        shippingStreet: z.string().describe("Rue"),
        shippingCity: z.string().describe("Ville"),
        shippingPostalCode: z.string().describe("Code postal"),
        shippingRecipient: z.string().optional().describe("Destinataire, s'il est indiqué"),
        shippingCompany: z.string().optional().describe("Société, si elle est indiquée"),
        shippingComplement: z.string().optional().describe("Complément, s'il est indiqué"),
        shippingPhone: z.string().optional().describe("Téléphone, s'il est indiqué"),
      })
      .describe("Adresse de livraison"),
    billingAddress: z
      .object({
        billingStreet: z.string().describe("Rue"),
        billingCity: z.string().describe("Ville"),
        billingPostalCode: z.string().describe("Code postal"),
        billingRecipient: z.string().optional().describe("Destinataire, s'il est indiqué"),
        billingCompany: z.string().optional().describe("Société, si elle est indiquée"),
        billingComplement: z.string().optional().describe("Complément, s'il est indiqué"),
        billingPhone: z.string().optional().describe("Téléphone, s'il est indiqué"),
      })
      .describe("Adresse de facturation"),
    invoice_pdf_path: z.string().nullable().describe("Chemin du PDF de la facture"),
    invoiceId: z.int().nullable().describe("Identifiant de la facture de la boutique"),
    invoiceNumber: z.string().nullable().describe("Son numéro"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  embedded: () => ({
    user: personResource,
    orderItems: adminOrderItemResource,
    shipments: adminOrderShipmentResource,
  }),
  toJson: (order: AdminOrderRow) => ({
    id: order.id,
    number: order.number,
    user: order.user && personResource.toJson(order.user),
    buyer: {
      name: order.buyerLastName,
      lastname: order.buyerFirstName,
      email: order.buyerEmail,
    },
    orderItems: order.items.map(adminOrderItemResource.toJson),
    total: eurosFromCents(order.totalCents),
    shippingMethod: order.shippingMethod,
    shippingTotal: eurosFromCents(order.shippingCents),
    refundedTotal: eurosFromCents(order.refundedCents),
    isRefundable: order.paymentIntentId !== null,
    isDisputed: order.isDisputed,
    date: isoDateTime(order.orderedAt),
    status: order.status,
    itemsCount: sumOf(order.items, ({ quantity }) => quantity),
    shippedItems: sumOf(order.items, ({ shippedQuantity }) => shippedQuantity),
    withdrawnAt: order.withdrawnAt && isoDateTime(order.withdrawnAt),
    shipments: order.shipments.map(adminOrderShipmentResource.toJson),
    shippingAddress: {
      shippingStreet: order.shippingStreet,
      shippingCity: order.shippingCity,
      shippingPostalCode: order.shippingPostalCode,
      ...(order.shippingRecipient && { shippingRecipient: order.shippingRecipient }),
      ...(order.shippingCompany && { shippingCompany: order.shippingCompany }),
      ...(order.shippingComplement && { shippingComplement: order.shippingComplement }),
      ...(order.shippingPhone && { shippingPhone: order.shippingPhone }),
    },
    billingAddress: {
      billingStreet: order.billingStreet,
      billingCity: order.billingCity,
      billingPostalCode: order.billingPostalCode,
      ...(order.billingRecipient && { billingRecipient: order.billingRecipient }),
      ...(order.billingCompany && { billingCompany: order.billingCompany }),
      ...(order.billingComplement && { billingComplement: order.billingComplement }),
      ...(order.billingPhone && { billingPhone: order.billingPhone }),
    },
    invoice_pdf_path: order.invoicePdfPath ?? downloadPath(order.invoiceId),
    invoiceId: order.invoiceId,
    invoiceNumber: order.invoiceNumber,
    version: order.version,
  }),
});

const sumOf = <T>(items: readonly T[], count: (item: T) => number) =>
  items.reduce((sum, each) => sum + count(each), 0);

/** The download path of the shop's own invoice of an order. */
export const downloadPath = (invoiceId: number | null) =>
  invoiceId === null ? null : `/api/invoices/${invoiceId}/download`;

/** An order for the chart on the back office's home page. */
export const chartOrderResource = resource({
  name: "ChartOrder",
  path: null,
  description: "Une commande en bref : sa date et son montant",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    number: z.string().describe("Numéro, comme CMD-2026-000001"),
    date: z.string().describe("Date de la commande, ISO 8601"),
    total: z.number().describe("Montant en euros, TVA comprise"),
    refundedTotal: z.number().describe("Montant remboursé jusqu'ici en euros"),
    invoiceNumber: z
      .string()
      .nullable()
      .describe("Numéro de la facture, comme FA-2026-000001, s'il y en a une"),
  }),
  toJson: ({ id, number, orderedAt, totalCents, refundedCents, invoiceNumber }: ChartOrder) => ({
    id,
    number,
    date: isoDateTime(orderedAt),
    total: eurosFromCents(totalCents),
    refundedTotal: eurosFromCents(refundedCents),
    invoiceNumber,
  }),
});

/** The sum of the orders of a day, a week or a month. */
export const orderSumSchema = z
  .object({
    date: z.string().describe("Premier jour, en France, comme 2026-11-20"),
    total: z.number().describe("Montant en euros, TVA comprise, sans ce qui a été remboursé"),
    count: z.int().describe("Nombre de commandes"),
  })
  .describe("La somme des commandes d'un jour, d'une semaine ou d'un mois");

export type OrderSum = z.output<typeof orderSumSchema>;
