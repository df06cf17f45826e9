"use client";

import Link from "next/link";
import { Fragment, type ReactNode, useState } from "react";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { amountInput, searchInput, textInput } from "@/components/backoffice/forms/inputs";
import { RefundButton } from "@/components/backoffice/refunds/refund-button";
import { emptyFields, erasedUserHint } from "@/components/backoffice/shared/buyer-forms";
import { InvoiceLink, PDF_PATH_HINT } from "@/components/backoffice/shared/download-links";
import {
  commaPrice,
  isComplete,
  itemsInput,
  itemsJson,
} from "@/components/backoffice/shared/item-fields";
import { choicesOf, eurosOf, USERS } from "@/components/backoffice/shared/option-sources";
import {
  CUSTOMER_COLUMN,
  DATE_FILTERS,
  NUMBERED_DATE_COLUMN,
  NumberedDate,
  USER_FILTER,
} from "@/components/backoffice/shared/person-columns";
import type { OrderRow } from "@/components/backoffice/shipments/ship-dialog";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { TrackingLink } from "@/components/orders/tracking-link";
import { isUrl } from "@/lib/backoffice/client";
import { formatDate } from "@/lib/dates";
import { centsFromEuros, eurosFromCents } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import {
  adminOrderChange,
  adminOrderInput,
  MAX_PIECES,
  type Todo,
} from "@/lib/orders/admin-schemas";
import { partRefunded, partSent } from "@/lib/orders/texts";
import { printPackingSlips, takeStep } from "@/lib/shipments/client";
import { shippingLineName } from "@/lib/shipping-methods/rules";
import { ORDER_STATUS_LABELS } from "@/lib/shop/order-status";
import { isToSend, OrderSteps } from "./order-steps";
import { OrderSum } from "./order-sum";

/** An id that no invoice has: the download answers 404. */
const NO_INVOICE = 0;

function InvoicePdf({ order: { id, invoiceId, invoice_pdf_path: path } }: { order: OrderRow }) {
  if (!path) return "Aucune";
  // An order made by an administrator has no invoice: the order's id could be that of another order's invoice.
  if (invoiceId === null && !isUrl(path)) return <InvoiceLink invoiceId={NO_INVOICE} path={path} />;
  const named = Number(/\/invoices\/(\d+)\//.exec(path)?.[1]);
  return <InvoiceLink invoiceId={invoiceId ?? (named || id)} path={path} />;
}

/** The state, a withdrawal or dispute of the buyer, how much has been sent, and the tracking of the parcels. */
function OrderState({ order }: { order: OrderRow }) {
  const { number, status, orderItems, shipments, withdrawnAt } = order;
  const files = orderItems.filter(({ product }) => product.productType === "digital");
  const filesCount = files.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className="mt-1.5 flex flex-col items-start gap-1">
      <OrderStatusBadge status={status} />
      {withdrawnAt && (
        <Link
          href={`/backoffice/withdrawals?search=${number}`}
          prefetch={false}
          className="link text-warning text-xs"
        >
          {`Rétractation reçue le ${formatDate(withdrawnAt)}`}
        </Link>
      )}
      {order.isDisputed && <span className="text-warning text-xs">Paiement contesté</span>}
      {status === "preparing" && (
        <span className="text-muted text-xs">{partSent({ ...order, filesCount })}</span>
      )}
      {shipments.map((shipment) => (
        <span key={shipment.id} className="text-xs">
          <TrackingLink shipment={shipment} />
        </span>
      ))}
    </div>
  );
}

type AddressKind = "shipping" | "billing";

/** The lines of an address that may be empty. */
const FURTHER_LINES = ["Recipient", "Company", "Complement", "Phone"] as const;
type FurtherLine = `${AddressKind}${(typeof FURTHER_LINES)[number]}`;
type AddressPart = `${AddressKind}${"Street" | "PostalCode" | "City"}` | FurtherLine;

const isFurtherLine = (field: string): field is FurtherLine =>
  FURTHER_LINES.some((line) => field.endsWith(line));

const addressPart = (label: string, value: (order: OrderRow) => string) => ({
  label,
  input: textInput({ required: true }),
  value,
});

const furtherLine = (label: string, value: (order: OrderRow) => string | undefined) => ({
  label,
  input: textInput(),
  value: (order: OrderRow) => value(order) ?? "",
});

const fields = {
  user: {
    label: "Utilisateur",
    column: CUSTOMER_COLUMN,
    input: searchInput(USERS, erasedUserHint),
  },
  orderItems: {
    label: "Articles",
    column: {
      className: "lg:min-w-52",
      cell: ({ orderItems, shippingMethod, shippingTotal }) => (
        <ul className="space-y-1">
          {orderItems.map(({ id, product, quantity }) => (
            <li key={id} className="flex justify-between gap-3">
              <span>{`${product.name} × ${formatNumber(quantity)}`}</span>
              <span className="shrink-0 text-muted tabular-nums">{commaPrice(product.price)}</span>
            </li>
          ))}
          {shippingMethod !== null && (
            <li className="flex justify-between gap-3">
              <span>{shippingLineName(shippingMethod)}</span>
              <span className="shrink-0 text-muted tabular-nums">{commaPrice(shippingTotal)}</span>
            </li>
          )}
        </ul>
      ),
    },
    input: itemsInput({ max: MAX_PIECES }),
  },
  total: {
    label: "Total",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums font-medium",
      cell: (order) => (
        <>
          <span>{commaPrice(order.total)}</span>
          <span className="block font-normal text-muted text-xs">{partRefunded(order)}</span>
        </>
      ),
    },
    input: amountInput({ className: "sm:max-w-56" }),
    value: ({ total }) => String(eurosFromCents(centsFromEuros(total) ?? 0)),
  },
  date: {
    label: "Date",
    column: {
      ...NUMBERED_DATE_COLUMN,
      className: "lg:min-w-36 tabular-nums",
      // Contains the state, too, which admins look for first: a separate column would be out of sight.
      cell: (order) => (
        <>
          <NumberedDate {...order} />
          <OrderState order={order} />
        </>
      ),
    },
  },
  shippingAddress: {
    label: "Adresse livraison",
    column: {
      className: "lg:min-w-32",
      cell: ({ shippingAddress: { shippingStreet, shippingPostalCode, shippingCity } }) =>
        `${shippingStreet}, ${shippingPostalCode} ${shippingCity}`,
    },
  },
  billingAddress: {
    label: "Adresse facturation",
    column: {
      className: "lg:min-w-32",
      cell: ({ billingAddress: { billingStreet, billingPostalCode, billingCity } }) =>
        `${billingStreet}, ${billingPostalCode} ${billingCity}`,
    },
  },
  shippingStreet: addressPart("Rue (livraison)", (order) => order.shippingAddress.shippingStreet),
  shippingPostalCode: addressPart(
    "Code postal (livraison)",
    (order) => order.shippingAddress.shippingPostalCode,
  ),
  shippingCity: addressPart("Ville (livraison)", (order) => order.shippingAddress.shippingCity),
  shippingRecipient: furtherLine(
    "Destinataire (livraison)",
    (order) => order.shippingAddress.shippingRecipient,
  ),
  shippingCompany: furtherLine(
    "Société (livraison)",
    (order) => order.shippingAddress.shippingCompany,
  ),
  shippingComplement: furtherLine(
    "Complément d’adresse (livraison)",
    (order) => order.shippingAddress.shippingComplement,
  ),
  shippingPhone: furtherLine(
    "Téléphone (livraison)",
    (order) => order.shippingAddress.shippingPhone,
  ),
  billingStreet: addressPart("Rue (facturation)", (order) => order.billingAddress.billingStreet),
  billingPostalCode: addressPart(
    "Code postal (facturation)",
    (order) => order.billingAddress.billingPostalCode,
  ),
  billingCity: addressPart("Ville (facturation)", (order) => order.billingAddress.billingCity),
  billingRecipient: furtherLine(
    "Destinataire (facturation)",
    (order) => order.billingAddress.billingRecipient,
  ),
  billingCompany: furtherLine(
    "Société (facturation)",
    (order) => order.billingAddress.billingCompany,
  ),
  billingComplement: furtherLine(
    "Complément d’adresse (facturation)",
    (order) => order.billingAddress.billingComplement,
  ),
  billingPhone: furtherLine(
    "Téléphone (facturation)",
    (order) => order.billingAddress.billingPhone,
  ),
  invoice_pdf_path: {
    label: "Chemin du PDF de la facture",
    column: { label: "Facture", cell: (order) => <InvoicePdf order={order} /> },
    input: textInput({ hint: PDF_PATH_HINT, required: true }),
  },
} satisfies FieldsOf<OrderRow, AddressPart>;

const TODO_LABELS: Record<Todo, string> = {
  prepare: "À préparer",
  ship: "À expédier",
  refund: "À rembourser",
  dispute: "Contestées",
};

/** Leaves out the further lines that have not changed. */
const withoutUnchangedLines = (values: object, row: OrderRow | null) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => !isFurtherLine(field) || value !== (row ? fields[field].value(row) : ""),
    ),
  );

/** The lines of an address that are rarely needed; open from the beginning if one has a text. */
function FurtherLines({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  // It stays as the user leaves it, whatever is typed.
  const [isOpenAtFirst] = useState(isOpen);
  return (
    <details open={isOpenAtFirst} className="sm:col-span-3">
      <summary className="link w-fit cursor-pointer text-sm">
        Destinataire, société, complément, téléphone
      </summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">{children}</div>
    </details>
  );
}

const orders: CrudEntity<OrderRow, ValuesOf<typeof fields>> = {
  path: "/api/admin_orders",
  heading: "Gestion des commandes (CRUD)",
  addLabel: "Ajouter une commande",
  editTitle: "Modifier la commande",
  emptyText: "Aucune commande trouvée.",
  deleteQuestion: "Supprimer cette commande ?",
  saveFailed: "Erreur lors de la sauvegarde de la commande.",
  searchHint: "Client, produit, ville, montant, n°",
  historyName: "Order",
  nameOf: ({ number }) => number,
  fileName: "commandes",
  formSize: "lg",
  fields,
  filters: [
    { kind: "quick", name: "todo", label: "À faire", options: choicesOf(TODO_LABELS) },
    { kind: "choice", name: "status", label: "État", options: choicesOf(ORDER_STATUS_LABELS) },
    USER_FILTER,
    ...DATE_FILTERS,
  ],
  layout: ({ field, control, values }) => (
    <>
      {field("user")}
      {field("orderItems")}
      {field("total")}
      <OrderSum items={values.orderItems} total={control("total")} />
      {(["shipping", "billing"] as const).map((kind) => (
        <fieldset
          key={kind}
          className="grid gap-4 rounded-md border border-line p-4 sm:grid-cols-[2fr_1.5fr_1.5fr]"
        >
          <legend className="px-1 font-medium text-sm">{fields[`${kind}Address`].label}</legend>
          {field(`${kind}Street`)}
          {field(`${kind}PostalCode`)}
          {field(`${kind}City`)}
          <FurtherLines isOpen={FURTHER_LINES.some((line) => values[`${kind}${line}`] !== "")}>
            {FURTHER_LINES.map((line) => (
              <Fragment key={line}>{field(`${kind}${line}`)}</Fragment>
            ))}
          </FurtherLines>
        </fieldset>
      ))}
      {field("invoice_pdf_path")}
    </>
  ),
  schema: (_, row) => (row ? adminOrderChange : adminOrderInput),
  check: ({ orderItems, ...values }, row) => {
    const areFinished = orderItems.length > 0 && orderItems.every(isComplete);
    const required = Object.entries(values).filter(([field]) => !isFurtherLine(field));
    return emptyFields(
      { ...Object.fromEntries(required), orderItems: areFinished ? orderItems : null },
      row,
    );
  },
  toJson: ({ user, orderItems, total, ...rest }, row) => ({
    ...withoutUnchangedLines(rest, row),
    ...(user && { user: String(user.id) }),
    orderItems: itemsJson(orderItems, { saved: row?.orderItems, writeId: String }),
    total: eurosOf(total),
  }),
  rowActions: (order, tools) => (
    <>
      <OrderSteps order={order} tools={tools} />
      <RefundButton order={order} tools={tools} />
    </>
  ),
  bulkActions: [
    {
      label: "Préparer",
      isFor: ({ status }) => status === "paid",
      run: ({ id }) => takeStep(id, "prepare"),
    },
    {
      label: "Imprimer les bons de préparation",
      isFor: isToSend,
      runOnAll: (orders) => printPackingSlips(orders.map(({ id }) => id)),
      failed: "Les bons de préparation n’ont pas pu être imprimés.",
    },
  ],
};

export const BackofficeOrdersScreen = () => <CrudScreen entity={orders} />;
