"use client";

import type { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatAmount } from "@/lib/money";
import { CUSTOMER_COLUMN, DATE_FILTERS, NUMBERED_DATE_COLUMN, USER_FILTER } from "./columns";
import type { ListEntity } from "./crud-entity";
import type { FieldsOf } from "./crud-field";
import { CrudScreen } from "./crud-screen";
import { CreditNoteLink } from "./download-links";

type CreditNoteRow = JsonOf<typeof creditNoteResource>;

const fields = {
  date: { label: "Date", column: NUMBERED_DATE_COLUMN },
  total: {
    label: "Montant",
    column: {
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ total, vat }) => (
        <>
          <p className="font-medium">{formatAmount(total)}</p>
          {vat
            .filter(({ rate }) => rate > 0)
            .map(({ rate, vat: tax }) => (
              <p key={rate} className="text-muted text-xs">
                {`dont TVA ${String(rate).replace(".", ",")}\u00a0%\u00a0: ${formatAmount(tax)}`}
              </p>
            ))}
        </>
      ),
    },
  },
  user: { label: "Utilisateur", column: CUSTOMER_COLUMN },
  invoice: {
    label: "Facture corrigée",
    column: {
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ invoiceNumber, order }) => (
        <>
          <p>{invoiceNumber ?? "–"}</p>
          {order && <p className="text-muted text-xs">{order.number}</p>}
        </>
      ),
    },
  },
  reason: { label: "Motif", column: {} },
  pdf: {
    label: "PDF",
    column: {
      className: "lg:whitespace-nowrap",
      cell: ({ id, number }) => <CreditNoteLink id={id} number={number} />,
    },
  },
} satisfies FieldsOf<CreditNoteRow, "invoice" | "pdf">;

/** Refunds create the credit notes: here they are read-only. */
const creditNotes: ListEntity<CreditNoteRow> = {
  path: "/api/credit_notes",
  heading: "Avoirs",
  emptyText: "Aucun avoir trouvé.",
  searchHint: "Client, numéro, facture",
  nameOf: ({ number }) => number,
  fileName: "avoirs",
  links: [{ href: "/backoffice/invoices", label: "Factures" }],
  fields,
  filters: [USER_FILTER, ...DATE_FILTERS],
};

export const AdminCreditNotesScreen = () => <CrudScreen entity={creditNotes} />;
