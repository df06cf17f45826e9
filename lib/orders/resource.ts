import { z } from "zod";
import { WITHDRAWAL_STATES } from "@/db/schema/withdrawals";
import { isoDateTime } from "@/lib/dates";
import { iriOf, resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { trackingUrl } from "@/lib/shipments/rules";
import { ORDER_STATUSES } from "@/lib/shop/order-status";
import { productClasses } from "@/lib/shop/product-type";
import type { OrderDetail, OrderSummary, PurchasedLine } from "./queries";
import { piecesToSend } from "./rules";
import type { Shipment } from "./shipments";

const moment = z.iso.datetime({ offset: true });

const fields = {
  id: z.int().describe("Identifiant"),
  carrier: z.string().describe("Transporteur"),
  trackingNumber: z.string().nullable().describe("Numéro de suivi"),
  trackingUrl: z
    .url()
    .nullable()
    .describe("Page de suivi du transporteur, si le numéro et la page sont connus"),
  shippedAt: moment.describe("Date d'expédition"),
  deliveredAt: moment.nullable().describe("Date de livraison"),
  items: z
    .array(
      z.object({
        item: z.int().describe("Identifiant de la ligne de la commande"),
        name: z.string().describe("Nom lors de l'achat"),
        quantity: z.int().describe("Nombre de pièces dans le colis"),
      }),
    )
    .describe("Le contenu"),
};

const jsonOf = (shipment: Shipment) => ({
  id: shipment.id,
  carrier: shipment.carrier,
  trackingNumber: shipment.trackingNumber,
  trackingUrl: trackingUrl(shipment),
  shippedAt: isoDateTime(shipment.shippedAt),
  deliveredAt: shipment.deliveredAt && isoDateTime(shipment.deliveredAt),
  items: shipment.items.map(({ lineId, name, quantity }) => ({ item: lineId, name, quantity })),
});

const version = z.int().describe("Version, augmentée par chaque modification");

/** A parcel in its order, as the buyer sees it. */
const orderShipmentResource = resource({
  name: "OrderShipment",
  path: null,
  description: "Un colis d'une commande",
  schema: z.object(fields),
  toJson: jsonOf,
});

/** A parcel in its order, for administrators: they send its version back when they correct the parcel. */
export const adminOrderShipmentResource = resource({
  name: "AdminOrderShipment",
  path: null,
  description: "Un colis d'une commande, pour les administrateurs",
  schema: z.object({ ...fields, version }),
  toJson: (shipment: Shipment) => ({ ...jsonOf(shipment), version: shipment.version }),
});

/** A parcel outside its order, for administrators. */
export const shipmentResource = resource({
  name: "Shipment",
  path: "/api/shipments",
  description: "Un colis, pour les administrateurs",
  schema: z.object({
    ...fields,
    order: iriOf("admin_orders").describe("La commande"),
    version,
  }),
  toJson: (shipment: Shipment) => ({
    ...jsonOf(shipment),
    order: `/api/admin_orders/${shipment.orderId}`,
    version: shipment.version,
  }),
});

const summaryFields = {
  id: z.int().describe("Identifiant"),
  number: z.string().describe("Numéro, comme CMD-2026-000001"),
  date: z.iso.datetime({ offset: true }).describe("Date de la commande"),
  total: z.number().describe("Montant payé en euros, TVA comprise"),
  vatIncluded: z.boolean().describe("Y a-t-il de la TVA dans ce montant ?"),
  status: z.enum(ORDER_STATUSES).describe("État"),
  refundedTotal: z.number().describe("Montant remboursé jusqu'ici en euros"),
  itemsCount: z.int().describe("Nombre de pièces"),
  shippedItems: z.int().describe("Nombre de pièces qui sont parties, fichiers compris"),
  filesCount: z.int().describe("Nombre de fichiers parmi les pièces"),
  shippingMethod: z.string().nullable().describe("Mode de livraison choisi, s'il y en a un"),
  shippingTotal: z.number().describe("Prix de la livraison en euros, compris dans le total"),
  invoiceId: z
    .int()
    .nullable()
    .describe("Identifiant de la facture à télécharger, s'il y en a une"),
  invoiceNumber: z.string().nullable().describe("Son numéro, comme FA-2026-000001"),
};

const summaryOf = (order: OrderSummary): z.input<z.ZodObject<typeof summaryFields>> => ({
  id: order.id,
  number: order.number,
  date: isoDateTime(order.orderedAt),
  total: eurosFromCents(order.totalCents),
  vatIncluded: order.hasVat,
  status: order.status,
  refundedTotal: eurosFromCents(order.refundedCents),
  itemsCount: order.itemsCount,
  shippedItems: order.shippedItems,
  filesCount: order.filesCount,
  shippingMethod: order.shippingMethod,
  shippingTotal: eurosFromCents(order.shippingCents),
  invoiceId: order.invoiceId,
  invoiceNumber: order.invoiceNumber,
});

/** An order in a customer's list of orders. The back office has its own resource. */
export const orderSummaryResource = resource({
  name: "MyOrderSummary",
  path: null,
  description: "Une commande dans la liste du client connecté",
  schema: z.object(summaryFields),
  toJson: summaryOf,
});

const addressSchema = z.object({
  street: z.string().describe("Rue"),
  postalCode: z.string().describe("Code postal"),
  city: z.string().describe("Ville"),
  recipient: z.string().optional().describe("Destinataire, s'il est indiqué"),
  company: z.string().optional().describe("Société, si elle est indiquée"),
  complement: z.string().optional().describe("Complément d'adresse, s'il est indiqué"),
  phone: z.string().optional().describe("Téléphone, s'il est indiqué"),
});

const productSchema = z.object({
  id: z.int().nullable().describe("Identifiant, null si le produit n'est plus en vente"),
  productType: z.enum(["physical", "digital"]).describe("Physique ou numérique"),
  name: z.string().describe("Nom lors de l'achat"),
  image: z.string().nullable().describe("Nom de fichier sous /images, chemin ou adresse http(s)"),
  price: z.number().describe("Prix d'une pièce lors de l'achat en euros, TVA comprise"),
  downloadLink: z
    .string()
    .nullable()
    .describe("Lien de téléchargement d'un produit numérique, personnel et valable une heure"),
  defaultCategory: z
    .object({ id: z.int() })
    .nullable()
    .describe("Catégorie actuelle du produit, null s'il n'est plus en vente"),
});

const orderProductResource = resource({
  name: "OrderProduct",
  path: null,
  description: "Un produit tel qu'il a été acheté",
  schema: productSchema,
  ...productClasses,
  toJson: ({ defaultCategoryId, ...line }: PurchasedLine) => ({
    id: line.productId,
    productType: line.productType,
    name: line.name,
    image: line.image,
    price: eurosFromCents(line.unitPriceCents),
    downloadLink: line.downloadLink,
    defaultCategory: defaultCategoryId === null ? null : { id: defaultCategoryId },
  }),
});

const itemSchema = z.object({
  id: z.int().describe("Identifiant"),
  quantity: z.int().describe("Nombre de pièces"),
  shippedQuantity: z.int().describe("Nombre de pièces qui sont parties"),
  refundedQuantity: z.int().describe("Nombre de pièces remboursées, ou en cours de remboursement"),
  toSend: z.int().describe("Nombre de pièces qui restent à envoyer"),
  product: productSchema.describe("Le produit"),
});

const orderItemResource = resource({
  name: "MyOrderItem",
  path: null,
  description: "Un article d'une commande",
  schema: itemSchema,
  embedded: () => ({ product: orderProductResource }),
  toJson: (line: PurchasedLine) => ({
    id: line.id,
    quantity: line.quantity,
    shippedQuantity: line.shippedQuantity,
    refundedQuantity: line.refundedQuantity,
    toSend: piecesToSend(line),
    product: orderProductResource.toJson(line),
  }),
});

const refundSchema = z.object({
  id: z.int().describe("Identifiant"),
  amount: z.number().describe("Montant en euros, TVA comprise"),
  status: z.enum(["pending", "succeeded", "failed"]).describe("En attente ou fait"),
  reason: z.string().describe("Motif"),
  createdAt: z.iso.datetime({ offset: true }).describe("Date"),
  creditNoteId: z.int().nullable().describe("Identifiant de l'avoir à télécharger, s'il y en a un"),
  creditNoteNumber: z.string().nullable().describe("Son numéro, comme AV-2026-000001"),
});

/** An order with its lines, as its buyer sees it. */
export const orderResource = resource({
  name: "MyOrder",
  path: "/api/orders_details",
  description: "Une commande, avec ses articles et ses adresses",
  schema: z.object({
    ...summaryFields,
    shippingDelay: z
      .string()
      .optional()
      .describe("Délai promis, comme « 2 à 3 jours ouvrés », s'il y en a un"),
    shippingAddress: addressSchema.describe("Adresse de livraison"),
    billingAddress: addressSchema.describe("Adresse de facturation"),
    items: z.array(itemSchema).describe("Les articles, tels qu'ils ont été achetés"),
    shipments: z.array(orderShipmentResource.schema).describe("Les colis"),
    history: z
      .array(
        z.object({
          status: z.enum(ORDER_STATUSES).describe("État"),
          date: z.iso.datetime({ offset: true }).describe("Date à laquelle il a été atteint"),
        }),
      )
      .describe("Les états par lesquels la commande est passée"),
    refunds: z.array(refundSchema).describe("Les remboursements, du plus récent au plus ancien"),
    withdrawal: z
      .object({
        date: z.iso.datetime({ offset: true }).describe("Date"),
        state: z.enum(WITHDRAWAL_STATES).describe("Reçue, remboursée ou refusée"),
        refusalReason: z.string().nullable().describe("Motif du refus"),
      })
      .nullable()
      .describe("La rétractation, s'il y en a une"),
  }),
  embedded: () => ({ items: orderItemResource, shipments: orderShipmentResource }),
  toJson: (order: OrderDetail) => ({
    ...summaryOf(order),
    ...(order.shippingDelay && { shippingDelay: order.shippingDelay }),
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    items: order.lines.map(orderItemResource.toJson),
    shipments: order.shipments.map(orderShipmentResource.toJson),
    history: order.history.map(({ status, date }) => ({ status, date: isoDateTime(date) })),
    withdrawal: order.withdrawal && {
      ...order.withdrawal,
      date: isoDateTime(order.withdrawal.date),
    },
    refunds: order.refunds.map(({ amountCents, createdAt, ...refund }) => ({
      ...refund,
      amount: eurosFromCents(amountCents),
      createdAt: isoDateTime(createdAt),
    })),
  }),
});
