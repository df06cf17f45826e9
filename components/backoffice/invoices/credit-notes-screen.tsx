"use client";

import type { ListEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { CreditNoteLink } from "@/components/backoffice/shared/download-links";
import {
  CUSTOMER_COLUMN,
  DATE_FILTERS,
  NUMBERED_DATE_COLUMN,
  USER_FILTER,
} from "@/components/backoffice/shared/person-columns";
import type { creditNoteResource } from "@/lib/credit-notes/admin-resource";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatAmount } from "@/lib/money";

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

export const BackofficeCreditNotesScreen = () => <CrudScreen entity={creditNotes} />;
