import { z } from "zod";
import { dateRange, plainListFields, sortable } from "@/lib/backoffice/list-query";
import { fillable, requiredFieldsForm, versionField } from "@/lib/backoffice/schemas";
import { idParam } from "@/lib/http/api/ids";
import { queryId } from "@/lib/http/api/query";

/** The query of GET /api/admin/invoices. */
export const invoiceListQuery = z.object({
  ...plainListFields,
  ...dateRange,
  user: queryId("users", { description: "Client" }).optional(),
  ...sortable("id", "number", "date", "totalAmount"),
});

const fields = {
  totalAmount: fillable.amount({ description: "Montant en euros, TVA comprise" }),
  user: fillable.relation({ collection: "users", description: "Client" }),
  pdfPath: fillable.text({ description: "Chemin du PDF", maxLength: 2000 }),
  paymentId: fillable.text({ description: "Identifiant du paiement", maxLength: 255 }),
};

const order = fillable.relation({
  collection: "orders",
  others: ["admin_orders"],
  description: "Commande",
});

const isPaid = z
  .boolean()
  .nullish()
  .describe("true la marque comme payée : elle le reste, et une modification la rectifie");

/** `/api/admin/invoices/{id}/versions/{version}/download` */
export const versionParams = z.object({
  id: idParam,
  version: idParam.meta({ description: "Version" }),
});

/** The body of POST /api/admin/invoices_create: everything is required but the order. */
export const adminInvoiceInput = requiredFieldsForm(
  { ...fields, order: order.optional(), isPaid },
  { optional: ["order", "isPaid"], whole: true },
);

/**
 * The body of PUT /api/admin/invoices_update/{id}: fields that are not sent stay. An optional field may be
 * empty here; `requireNotEmptied` refuses it unless the stored field is empty.
 */
export const adminInvoiceChange = requiredFieldsForm(
  { ...z.object(fields).partial().shape, isPaid, version: versionField },
  { optional: ["version", "user", "paymentId", "isPaid"], whole: false },
);

export type AdminInvoiceChange = z.output<typeof adminInvoiceChange>;
