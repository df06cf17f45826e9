import { z } from "zod";
import { dateRange, listFields, plainListFields, sortable } from "@/lib/backoffice/list-query";
import { fillable, itemsField, requiredFieldsForm, versionField } from "@/lib/backoffice/schemas";
import { queryChoice, queryId } from "@/lib/http/api/query";
import { ORDER_STATUSES } from "@/lib/shop/order-status";
import { textField } from "@/lib/text/text-field";

/** Open tasks for admins that the list of orders can be filtered by. */
const TODOS = ["prepare", "ship", "refund", "dispute"] as const;
export type Todo = (typeof TODOS)[number];

/** The query of GET /api/admin_orders. */
export const orderListQuery = z.object({
  ...listFields,
  ...dateRange,
  user: queryId("users", { description: "Client" }).optional(),
  status: queryChoice(ORDER_STATUSES, { description: "État de la commande" }).optional(),
  todo: queryChoice(TODOS, {
    description:
      "Ce qui reste à faire : prepare, payée ; ship, en préparation ; refund, rétractation reçue ou remboursement échoué ; dispute, paiement contesté auprès de la banque",
  }).optional(),
  ...sortable("id", "date", "total"),
});

const INTERVALS = ["day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

/** The query of GET /api/orders: the orders, or their sums by day, week or month. */
export const orderChartQuery = z.object({
  ...plainListFields,
  ...dateRange,
  user: queryId("users", { description: "Client ; sans effet sur les sommes" }).optional(),
  interval: queryChoice(INTERVALS, {
    description: "Donne les sommes par jour, semaine ou mois, au lieu des commandes",
  }).optional(),
  ...sortable("id", "date", "total"),
});

/** Most pieces of one product in an order. */
export const MAX_PIECES = 10_000;
export const MAX_LINES = 200;

const items = itemsField({ max: MAX_PIECES, maxItems: MAX_LINES });

/** The further lines of an address: a text or nothing; an empty text empties the line. */
const addressLine = (description: string, maxLength = 100) =>
  textField({ description, maxLength }).optional();

const detailFields = {
  shippingRecipient: addressLine("Destinataire (livraison)"),
  shippingCompany: addressLine("Société (livraison)"),
  shippingComplement: addressLine("Complément d'adresse (livraison)", 255),
  shippingPhone: addressLine("Téléphone (livraison)", 20),
  billingRecipient: addressLine("Destinataire (facturation)"),
  billingCompany: addressLine("Société (facturation)"),
  billingComplement: addressLine("Complément d'adresse (facturation)", 255),
  billingPhone: addressLine("Téléphone (facturation)", 20),
};

const fields = {
  ...detailFields,
  user: fillable.relation({ collection: "users", description: "Client" }),
  // A list without lines counts as an empty field.
  orderItems: z
    .preprocess(
      (value) => (Array.isArray(value) && value.length > 0 ? value : null),
      items.nullable(),
    )
    .meta({ description: "Les produits et leurs quantités" }),
  total: fillable.amount({ description: "Montant en euros, TVA comprise" }),
  shippingStreet: fillable.text({ description: "Rue (livraison)", maxLength: 255 }),
  shippingCity: fillable.text({ description: "Ville (livraison)", maxLength: 100 }),
  shippingPostalCode: fillable.text({ description: "Code postal (livraison)", maxLength: 20 }),
  billingStreet: fillable.text({ description: "Rue (facturation)", maxLength: 255 }),
  billingCity: fillable.text({ description: "Ville (facturation)", maxLength: 100 }),
  billingPostalCode: fillable.text({ description: "Code postal (facturation)", maxLength: 20 }),
  invoice_pdf_path: fillable.text({ description: "Chemin du PDF de la facture", maxLength: 2000 }),
};

/** The body of POST /api/admin_orders: everything is required. */
export const adminOrderInput = requiredFieldsForm(fields, { whole: true });

/**
 * The body of PUT /api/admin_orders/{id}: fields that are not sent stay, no field can be emptied. An optional
 * field may be empty here; `requireNotEmptied` refuses it unless the stored field is empty.
 */
export const adminOrderChange = requiredFieldsForm(
  { ...z.object(fields).partial().shape, version: versionField },
  { optional: ["version", "user", "invoice_pdf_path"], whole: false },
);

export type OrderListQuery = z.output<typeof orderListQuery>;
export type OrderChartQuery = z.output<typeof orderChartQuery>;
export type AdminOrderInput = z.output<typeof adminOrderInput>;
export type AdminOrderChange = z.output<typeof adminOrderChange>;
