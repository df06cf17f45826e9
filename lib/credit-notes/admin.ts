import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { creditNoteText } from "@/db/search-text";
import { adminList } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { personColumns } from "@/lib/backoffice/people";
import { textTarget } from "@/lib/backoffice/search";
import { momentCell } from "@/lib/http/api/csv";
import { vatOf } from "@/lib/invoices/rules";
import { vatColumns } from "@/lib/invoices/vat-columns";
import { creditNoteResource } from "./admin-resource";
import { creditNoteListQuery } from "./admin-schemas";

export type AdminCreditNoteRow = Awaited<ReturnType<typeof readCreditNotes>>[number];

async function readCreditNotes({ ids, tx = db }: ByIds) {
  const rows = await tx
    .select({
      creditNote: creditNotes,
      paymentId: refunds.paymentIntentId,
      user: personColumns,
      order: { id: orders.id, number: orders.number },
    })
    .from(creditNotes)
    .innerJoin(refunds, eq(refunds.id, creditNotes.refundId))
    .leftJoin(users, eq(users.id, creditNotes.userId))
    .leftJoin(orders, eq(orders.id, creditNotes.orderId))
    .where(isAmong(creditNotes.id, ids));
  return rows.map(({ creditNote, ...rest }) => ({ ...creditNote, ...rest }));
}

/** The credit notes, newest first by default. */
export const adminCreditNotes = adminList({
  resource: creditNoteResource,
  query: creditNoteListQuery,
  source: {
    from: sql`credit_notes c`,
    id: sql`c.id`,
    sorts: { date: sql`c.issued_at` },
    date: "date",
    equal: { user: sql`c.user_id`, order: sql`c.order_id` },
    targetsFor: (pattern) => [textTarget({ pattern, text: creditNoteText("c") })],
  },
  read: readCreditNotes,
  fileName: "avoirs",
  columns: {
    ID: ({ id }) => id,
    Numéro: ({ number }) => number,
    Date: ({ date }) => momentCell(date),
    "Montant (€)": ({ total }) => total,
    Facture: ({ invoiceNumber }) => invoiceNumber,
    Commande: ({ order }) => order?.number,
    Nom: ({ user, buyer }) => (user ?? buyer).name,
    Prénom: ({ user, buyer }) => (user ?? buyer).lastname,
    Email: ({ user, buyer }) => (user ?? buyer).email,
    Motif: ({ reason }) => reason,
    "ID Paiement": ({ paymentId }) => paymentId,
    ...vatColumns,
  },
  csvItem: (row) => ({
    ...creditNoteResource.toJson(row),
    vatAmounts: vatOf(row.snapshot),
  }),
});
