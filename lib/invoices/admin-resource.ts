import { z } from "zod";
import type { InvoiceSnapshot } from "@/db/schema/invoices";
import { orderRefSchema, personResource, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { downloadPath } from "@/lib/orders/admin-resource";
import type { AdminInvoiceRow } from "./admin";
import type { InvoiceVersion } from "./versions";

const orderSchema = orderRefSchema.extend({
  total: z.number().describe("Montant en euros, TVA comprise"),
});

const buyerJson = ({ firstName, lastName, email }: InvoiceSnapshot["buyer"]) => ({
  name: lastName,
  lastname: firstName,
  email,
});

export const adminInvoiceResource = resource({
  name: "Invoice",
  path: "/api/admin/invoices",
  description: "Une facture, pour les administrateurs",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    number: z.string().describe("Numéro, comme FA-2026-000001"),
    totalAmount: z.number().describe("Montant en euros, TVA comprise"),
    user: personSchema.nullable().describe("Client ; null si son compte a été effacé"),
    buyer: personSchema.omit({ id: true }).describe("Le client tel que la facture le nomme"),
    order: orderSchema.nullable().describe("Commande, s'il y en a une"),
    pdfPath: z.string().describe("Chemin du PDF"),
    paymentId: z.string().nullable().describe("Identifiant du paiement"),
    isPaid: z
      .boolean()
      .describe("Est-elle payée ? Alors chaque modification établit une facture rectificative"),
    date: z.string().describe("Date de la facture, ISO 8601"),
    correctedAt: z
      .string()
      .nullable()
      .describe("Date de la version rectificative, ISO 8601 ; null pour une facture d'origine"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  embedded: () => ({ user: personResource }),
  toJson: ({ user, order, snapshot: { buyer, correction }, ...invoice }: AdminInvoiceRow) => ({
    id: invoice.id,
    number: invoice.number,
    totalAmount: eurosFromCents(invoice.totalCents),
    user: user && personResource.toJson(user),
    buyer: buyerJson(buyer),
    order: order && {
      id: order.id,
      number: order.number,
      total: eurosFromCents(order.totalCents),
    },
    pdfPath: invoice.pdfPath ?? downloadPath(invoice.id) ?? "",
    paymentId: invoice.paymentId,
    isPaid: invoice.isPaid,
    date: isoDateTime(invoice.issuedAt),
    correctedAt: correction ? isoDateTime(new Date(correction.date)) : null,
    version: invoice.version,
  }),
});

/** The earlier versions of an invoice. */
export const invoiceVersionsSchema = z.array(
  z.object({
    version: z.int().describe("Sa version"),
    date: z.string().describe("Sa date, ISO 8601"),
    totalAmount: z.number().describe("Son montant en euros, TVA comprise"),
    buyer: personSchema.omit({ id: true }).describe("Le client qu'elle nomme"),
    paymentId: z.string().nullable().describe("Identifiant du paiement"),
    pdfPath: z.string().describe("Chemin de son PDF"),
    replacedAt: z.string().describe("Date à laquelle elle a été remplacée, ISO 8601"),
    replacedBy: personSchema.nullable().describe("Par qui ; null si son compte a été effacé"),
  }),
);

export type InvoiceVersionsJson = z.output<typeof invoiceVersionsSchema>;

export const invoiceVersionsJson = (rows: readonly InvoiceVersion[]): InvoiceVersionsJson =>
  rows.map(({ document, version, date, replacedAt, replacedBy }) => ({
    version,
    date: isoDateTime(date),
    totalAmount: eurosFromCents(document.totalCents),
    buyer: buyerJson(document.snapshot.buyer),
    paymentId: document.paymentId,
    pdfPath: `/api/admin/invoices/${document.id}/versions/${version}/download`,
    replacedAt: isoDateTime(replacedAt),
    replacedBy: replacedBy && personResource.toJson(replacedBy),
  }));
