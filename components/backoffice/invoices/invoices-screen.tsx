"use client";

import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, Input, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { amountInput, searchInput, textInput } from "@/components/backoffice/forms/inputs";
import type { Option } from "@/components/backoffice/forms/search-select";
import { emptyFields, erasedUserHint } from "@/components/backoffice/shared/buyer-forms";
import { InvoiceLink, PDF_PATH_HINT } from "@/components/backoffice/shared/download-links";
import { eurosOf, ORDERS, orderOption, USERS } from "@/components/backoffice/shared/option-sources";
import {
  DATE_FILTERS,
  USER_COLUMN,
  USER_FILTER,
} from "@/components/backoffice/shared/person-columns";
import { CheckboxField } from "@/components/ui/field";
import { formatDate } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import type { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { adminInvoiceChange, adminInvoiceInput } from "@/lib/invoices/admin-schemas";
import { InvoiceVersions } from "./invoice-versions";
import { PaidInvoice } from "./paid-invoice";

type InvoiceRow = JsonOf<typeof adminInvoiceResource>;

/** The order of an invoice; only the user's orders, once a user is chosen. The chosen order may be invoiced. */
const orderInput = (user: Option | null, chosen?: Option | null) =>
  searchInput(
    { ...ORDERS, ...(user && { query: { user: String(user.id) } }) },
    (invoice: InvoiceRow | null) =>
      invoice
        ? {
            disabled: true,
            hint: "La commande d’une facture ne change plus.",
            placeholder: "Aucune",
          }
        : {
            hint: chosen?.detail
              ? `Cette commande a déjà la ${chosen.detail}\u00a0: la TVA compterait deux fois.`
              : "Facultative, par son numéro ou id.",
          },
  );

/** A paid invoice cannot become unpaid. */
const paidInput: Input<boolean, InvoiceRow> = {
  empty: false,
  render: ({ label, value, onChange, problem, row }) => (
    <CheckboxField
      label={label}
      hint={
        row?.isPaid
          ? undefined
          : "Elle le reste\u00a0: la modifier ensuite établit une facture rectificative."
      }
      disabled={row?.isPaid}
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
      {...problem}
    />
  ),
};

const fields = {
  totalAmount: {
    label: "Montant",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ totalAmount }) => `${totalAmount} €`,
    },
    input: amountInput(),
  },
  user: {
    label: "Utilisateur",
    column: USER_COLUMN,
    input: searchInput(USERS, erasedUserHint),
  },
  order: {
    label: "Commande",
    column: {
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ order }) => (order ? orderOption(order).label : "–"),
    },
    input: orderInput(null),
  },
  pdfPath: {
    label: "Chemin du PDF",
    column: {
      label: "PDF",
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ id, number, pdfPath, correctedAt }) => (
        <>
          {pdfPath ? <InvoiceLink invoiceId={id} path={pdfPath} /> : <span>Aucun</span>}
          <p className="text-muted text-xs">{number}</p>
          {correctedAt && (
            <p className="text-muted text-xs">{`Rectifiée le ${formatDate(correctedAt)}`}</p>
          )}
        </>
      ),
    },
    input: textInput({ hint: PDF_PATH_HINT, required: true }),
  },
  paymentId: {
    label: "ID Paiement",
    column: {
      cell: ({ paymentId, isPaid }) => (
        <>
          <code className="text-xs">{paymentId || "–"}</code>
          {isPaid && <p className="text-muted text-xs">Payée</p>}
        </>
      ),
    },
    input: textInput({ required: true }),
  },
  isPaid: {
    label: "Payée",
    input: paidInput,
  },
} satisfies FieldsOf<InvoiceRow>;

const invoices: CrudEntity<InvoiceRow, ValuesOf<typeof fields>> = {
  path: "/api/admin/invoices",
  heading: "Gestion des factures (CRUD)",
  addLabel: "Ajouter une facture",
  editTitle: "Modifier la facture",
  emptyText: "Aucune facture trouvée.",
  deleteQuestion: "Supprimer cette facture ?",
  saveFailed: "Erreur lors de la sauvegarde de la facture.",
  searchHint: "Client, n°, commande, paiement",
  historyName: "Invoice",
  nameOf: ({ number }) => number,
  fileName: "factures",
  links: [{ href: "/backoffice/credit-notes", label: "Avoirs" }],
  fields,
  filters: [USER_FILTER, ...DATE_FILTERS],
  layout: ({ field, control, values }) => (
    <>
      {field("totalAmount")}
      {field("user")}
      {orderInput(values.user, values.order).render?.(control("order"))}
      {field("pdfPath")}
      {field("paymentId")}
      {field("isPaid")}
    </>
  ),
  schema: (_, row) => (row ? adminInvoiceChange : adminInvoiceInput),
  check: ({ order: _, ...values }, row) => emptyFields(values, row),
  toJson: ({ totalAmount, user, order, pdfPath, paymentId, isPaid }, row) => ({
    totalAmount: eurosOf(totalAmount),
    ...(user && { user: user.id }),
    pdfPath,
    paymentId,
    isPaid,
    ...(!row && order && { order: order.id }),
  }),
  savePath: (_, row) =>
    row ? `/api/admin/invoices_update/${row.id}` : "/api/admin/invoices_create",
  notice: (invoice, reload) =>
    invoice.isPaid && <PaidInvoice invoice={invoice} onRefunded={reload} />,
  historyHead: ({ id }) => <InvoiceVersions id={id} />,
  deletePath: ({ id }) => `/api/admin/invoices_delete/${id}`,
};

export const BackofficeInvoicesScreen = () => <CrudScreen entity={invoices} />;
