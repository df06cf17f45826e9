"use client";

import { TextField } from "@/components/ui/field";
import { amountHint } from "@/lib/backoffice/rules";
import { ALL_FIELDS_REQUIRED } from "@/lib/backoffice/texts";
import { ID_COLUMN, USER_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import { ORDERS, orderOption, type UserRef, userOption } from "./options";
import { PDF_PATH_HINT, PdfLink } from "./pdf-link";
import { type Option, SearchSelect } from "./search-select";
import { erasedUserHint, UserField } from "./user-field";

interface InvoiceRow extends CrudRow {
  number?: string;
  /** Euros. */
  totalAmount: number;
  /** Null after the account was erased; the buyer stays. */
  user: UserRef | null;
  buyer?: Omit<UserRef, "id">;
  order: { id: number; total: number } | null;
  pdfPath: string | null;
  paymentId: string | null;
}

interface InvoiceValues {
  totalAmount: string;
  user: Option | null;
  order: Option | null;
  pdfPath: string;
  paymentId: string;
}

const columns: readonly Column<InvoiceRow>[] = [
  ID_COLUMN,
  {
    id: "totalAmount",
    label: "Montant",
    orderBy: "totalAmount",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ totalAmount }) => `${totalAmount} €`,
  },
  USER_COLUMN,
  {
    id: "order",
    label: "Commande",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ order }) => (order ? orderOption(order).label : "–"),
  },
  {
    id: "pdf",
    label: "PDF",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ id, number, pdfPath }) => (
      <>
        {pdfPath ? <PdfLink invoiceId={id} path={pdfPath} /> : "Aucun"}
        <p className="text-muted text-xs">{number}</p>
      </>
    ),
  },
  {
    id: "paymentId",
    label: "ID Paiement",
    cell: ({ paymentId }) => <code className="text-xs">{paymentId || "–"}</code>,
  },
];

function InvoiceFields({ values, set, problem, row }: FieldsProps<InvoiceRow, InvoiceValues>) {
  return (
    <>
      <TextField
        type="number"
        label="Montant"
        unit="€"
        min={0}
        step={0.01}
        hint={amountHint(values.totalAmount)}
        value={values.totalAmount}
        onChange={({ target }) => set("totalAmount", target.value)}
        required
        {...problem("totalAmount")}
      />
      <UserField
        value={values.user}
        onChange={(user) => set("user", user)}
        hint={erasedUserHint(row)}
        {...problem("user")}
      />
      <SearchSelect
        label="Commande"
        source={ORDERS}
        value={values.order}
        onChange={(order) => set("order", order)}
        disabled={row !== null}
        hint={
          row ? "La commande d’une facture ne change plus." : "Facultative, par son numéro ou id."
        }
        placeholder={row ? "Aucune" : "Rechercher…"}
        {...problem("order")}
      />
      <TextField
        label="Chemin du PDF"
        hint={PDF_PATH_HINT}
        value={values.pdfPath}
        onChange={({ target }) => set("pdfPath", target.value)}
        required
        {...problem("pdfPath")}
      />
      <TextField
        label="ID Paiement"
        value={values.paymentId}
        onChange={({ target }) => set("paymentId", target.value)}
        required
        {...problem("paymentId")}
      />
    </>
  );
}

const invoices: CrudEntity<InvoiceRow, InvoiceValues> = {
  path: "/api/admin/invoices",
  heading: "Gestion des factures (CRUD)",
  addLabel: "Ajouter une facture",
  editTitle: "Modifier la facture",
  emptyText: "Aucune facture trouvée.",
  deleteQuestion: "Supprimer cette facture ?",
  saveFailed: "Erreur lors de la sauvegarde de la facture.",
  searchHint: "Client, numéro, paiement",
  historyName: "Invoice",
  fileName: "factures",
  columns,
  filters: [
    { kind: "date", name: "date[after]", label: "Du" },
    { kind: "date", name: "date[before]", label: "Au" },
  ],
  newValues: () => ({ totalAmount: "", user: null, order: null, pdfPath: "", paymentId: "" }),
  valuesOf: ({ totalAmount, user, order, pdfPath, paymentId }) => ({
    totalAmount: String(totalAmount),
    user: user && userOption(user),
    order: order && orderOption(order),
    pdfPath: pdfPath ?? "",
    paymentId: paymentId ?? "",
  }),
  labels: {
    totalAmount: "Montant",
    user: "Utilisateur",
    order: "Commande",
    pdfPath: "Chemin du PDF",
    paymentId: "ID Paiement",
  },
  check: (values, row) =>
    (["totalAmount", "user", "pdfPath", "paymentId"] as const)
      // An invoice whose buyer's account was erased can be saved without a user.
      .filter((field) => isEmpty(values[field]) && !(field === "user" && row && !row.user))
      .map((field) => ({ field, message: ALL_FIELDS_REQUIRED })),
  request: ({ totalAmount, user, order, pdfPath, paymentId }, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/admin/invoices_update/${row.id}` : "/api/admin/invoices_create",
    json: {
      totalAmount: Number(totalAmount),
      ...(user && { user: user.id }),
      pdfPath,
      paymentId,
      ...(!row && order && { order: order.id }),
    },
  }),
  deletePath: ({ id }) => `/api/admin/invoices_delete/${id}`,
  Fields: InvoiceFields,
};

const isEmpty = (value: string | Option | null) =>
  typeof value === "string" ? value.trim() === "" : value === null;

export function AdminInvoicesScreen() {
  return <CrudScreen entity={invoices} />;
}
