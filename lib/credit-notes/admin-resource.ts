import { z } from "zod";
import { orderRefSchema, personResource, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { vatOf } from "@/lib/invoices/rules";
import { eurosFromCents } from "@/lib/money";
import type { AdminCreditNoteRow } from "./admin";

const euros = (description: string) => z.number().describe(`${description}, en euros`);

/** Any credit note, as administrators see it. */
export const creditNoteResource = resource({
  name: "CreditNote",
  path: "/api/credit_notes",
  description: "Un avoir",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    number: z.string().describe("Numéro, comme AV-2026-000001"),
    total: z.number().describe("Montant en euros, TVA comprise"),
    vat: z
      .array(
        z.object({
          rate: z.number().describe("Taux en pour cent"),
          net: euros("Montant hors taxes"),
          vat: euros("TVA"),
          total: euros("Montant TVA comprise"),
        }),
      )
      .describe("La TVA, par taux"),
    invoiceId: z.int().nullable().describe("Identifiant de la facture corrigée"),
    invoiceNumber: z.string().nullable().describe("Numéro de la facture corrigée"),
    order: orderRefSchema.nullable().describe("Commande ; null si elle a été supprimée"),
    user: personSchema.nullable().describe("Client ; null si son compte a été effacé"),
    buyer: personSchema.omit({ id: true }).describe("Le client tel que l'avoir le nomme"),
    reason: z.string().describe("Motif"),
    pdfPath: z.string().describe("Chemin du PDF"),
    paymentId: z.string().describe("Identifiant du paiement remboursé"),
    date: z.string().describe("Date de l'avoir, ISO 8601"),
  }),
  embedded: () => ({ user: personResource }),
  toJson: ({ user, order, snapshot, ...creditNote }: AdminCreditNoteRow) => ({
    id: creditNote.id,
    number: creditNote.number,
    total: eurosFromCents(creditNote.totalCents),
    vat: vatOf(snapshot).map(({ vatRateBp, netCents, vatCents, grossCents }) => ({
      rate: vatRateBp / 100,
      net: eurosFromCents(netCents),
      vat: eurosFromCents(vatCents),
      total: eurosFromCents(grossCents),
    })),
    invoiceId: creditNote.invoiceId,
    invoiceNumber: snapshot.invoice?.number ?? null,
    order: order && { id: order.id, number: order.number },
    user: user && personResource.toJson(user),
    buyer: {
      name: snapshot.buyer.lastName,
      lastname: snapshot.buyer.firstName,
      email: snapshot.buyer.email,
    },
    reason: snapshot.reason,
    pdfPath: `/api/credit-notes/${creditNote.id}/download`,
    paymentId: creditNote.paymentId,
    date: isoDateTime(creditNote.issuedAt),
  }),
});
