"use client";

import { TextField } from "@/components/ui/field";
import { isUrl } from "@/lib/backoffice/client";
import { amountHint, type Problem } from "@/lib/backoffice/rules";
import { ALL_FIELDS_REQUIRED } from "@/lib/backoffice/texts";
import { formatDateTime } from "@/lib/dates";
import { centsFromEuros, eurosFromCents } from "@/lib/money";
import { CUSTOMER_COLUMN, ID_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import {
  areUnchanged,
  commaPrice,
  type Item,
  ItemFields,
  type ItemValues,
  isComplete,
  itemJson,
  itemValues,
} from "./item-fields";
import { type UserRef, userOption } from "./options";
import { PDF_PATH_HINT, PdfLink } from "./pdf-link";
import type { Option } from "./search-select";
import { erasedUserHint, UserField } from "./user-field";

interface OrderRow extends CrudRow {
  number?: string;
  /** Null after the account was erased; the buyer stays. */
  user: UserRef | null;
  buyer?: Omit<UserRef, "id">;
  orderItems: readonly Item[];
  /** Euros. */
  total: number;
  /** ISO 8601. */
  date: string;
  shippingAddress: {
    shippingStreet: string;
    shippingCity: string;
    shippingPostalCode: string;
  } | null;
  billingAddress: { billingStreet: string; billingCity: string; billingPostalCode: string } | null;
  invoice_pdf_path: string | null;
  invoiceId?: number | null;
}

const ADDRESS_FIELDS = [
  ["shippingStreet", "Rue (livraison)"],
  ["shippingPostalCode", "Code postal (livraison)"],
  ["shippingCity", "Ville (livraison)"],
  ["billingStreet", "Rue (facturation)"],
  ["billingPostalCode", "Code postal (facturation)"],
  ["billingCity", "Ville (facturation)"],
] as const;

type AddressField = (typeof ADDRESS_FIELDS)[number][0];

interface OrderValues extends Record<AddressField, string> {
  user: Option | null;
  orderItems: readonly ItemValues[];
  total: string;
  invoice_pdf_path: string;
}

/** An id that no invoice has: the download answers 404. */
const NO_INVOICE = 0;

function InvoicePdf({ order: { id, invoiceId, invoice_pdf_path: path } }: { order: OrderRow }) {
  if (!path) return "Aucune";
  // An order made by an administrator has no invoice: its own id could be that of another's invoice.
  if (invoiceId === null && !isUrl(path)) return <PdfLink invoiceId={NO_INVOICE} path={path} />;
  const named = Number(/\/invoices\/(\d+)\//.exec(path)?.[1]);
  return <PdfLink invoiceId={invoiceId ?? (named || id)} path={path} />;
}

const columns: readonly Column<OrderRow>[] = [
  ID_COLUMN,
  CUSTOMER_COLUMN,
  {
    id: "orderItems",
    label: "Articles",
    className: "lg:min-w-52",
    cell: ({ orderItems }) => (
      <ul className="space-y-1">
        {orderItems.map(({ id, product, quantity }) => (
          <li key={id} className="flex justify-between gap-3">
            <span>
              {product?.name ?? "Produit supprimé"} × {quantity}
            </span>
            <span className="shrink-0 text-muted tabular-nums">
              {product && commaPrice(product.price)}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    id: "total",
    label: "Total",
    orderBy: "total",
    className: "lg:whitespace-nowrap tabular-nums font-medium",
    cell: ({ total }) => commaPrice(total),
  },
  {
    id: "date",
    label: "Date",
    orderBy: "date",
    className: "lg:min-w-28 tabular-nums",
    cell: ({ date, number }) => (
      <>
        <time dateTime={date}>{formatDateTime(date)}</time>
        <p className="text-muted text-xs">{number}</p>
      </>
    ),
  },
  {
    id: "shippingAddress",
    label: "Adresse livraison",
    className: "lg:min-w-32",
    cell: ({ shippingAddress: address }) =>
      address
        ? `${address.shippingStreet}, ${address.shippingPostalCode} ${address.shippingCity}`
        : "–",
  },
  {
    id: "billingAddress",
    label: "Adresse facturation",
    className: "lg:min-w-32",
    cell: ({ billingAddress: address }) =>
      address
        ? `${address.billingStreet}, ${address.billingPostalCode} ${address.billingCity}`
        : "–",
  },
  {
    id: "invoice",
    label: "Facture",
    cell: (order) => <InvoicePdf order={order} />,
  },
];

function OrderFields({ values, set, problem, row }: FieldsProps<OrderRow, OrderValues>) {
  return (
    <>
      <UserField
        value={values.user}
        onChange={(user) => set("user", user)}
        hint={erasedUserHint(row)}
        {...problem("user")}
      />
      <ItemFields
        items={values.orderItems}
        onChange={(items) => set("orderItems", items)}
        errorId={problem("orderItems").errorId}
      />
      <TextField
        type="number"
        label="Total"
        unit="€"
        min={0}
        step={0.01}
        hint={amountHint(values.total)}
        className="sm:max-w-56"
        value={values.total}
        onChange={({ target }) => set("total", target.value)}
        required
        {...problem("total")}
      />
      {(["shipping", "billing"] as const).map((kind) => (
        <fieldset
          key={kind}
          className="grid gap-4 rounded-md border border-line p-4 sm:grid-cols-[2fr_1.5fr_1.5fr]"
        >
          <legend className="px-1 font-medium text-sm">
            {kind === "shipping" ? "Adresse livraison" : "Adresse facturation"}
          </legend>
          {ADDRESS_FIELDS.filter(([name]) => name.startsWith(kind)).map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={values[name]}
              onChange={({ target }) => set(name, target.value)}
              required
              {...problem(name)}
            />
          ))}
        </fieldset>
      ))}
      <TextField
        label="Chemin du PDF de la facture"
        hint={PDF_PATH_HINT}
        value={values.invoice_pdf_path}
        onChange={({ target }) => set("invoice_pdf_path", target.value)}
        required
        {...problem("invoice_pdf_path")}
      />
    </>
  );
}

function check(values: OrderValues, row: OrderRow | null): Problem[] {
  const addressFields = ADDRESS_FIELDS.map(([name]) => name);
  const empty: (keyof OrderValues)[] = (
    ["total", ...addressFields, "invoice_pdf_path"] as const
  ).filter((field) => values[field].trim() === "");
  // An order whose buyer's account was erased can be saved without a user.
  if (!values.user && !(row && row.user === null)) empty.unshift("user");
  if (values.orderItems.length === 0 || !values.orderItems.every(isComplete))
    empty.push("orderItems");
  return empty.map((field) => ({ field, message: ALL_FIELDS_REQUIRED }));
}

const orders: CrudEntity<OrderRow, OrderValues> = {
  path: "/api/admin_orders",
  heading: "Gestion des commandes (CRUD)",
  addLabel: "Ajouter une commande",
  editTitle: "Modifier la commande",
  emptyText: "Aucune commande trouvée.",
  deleteQuestion: "Supprimer cette commande ?",
  saveFailed: "Erreur lors de la sauvegarde de la commande.",
  searchHint: "Client, numéro",
  historyName: "Order",
  fileName: "commandes",
  formSize: "lg",
  columns,
  filters: [
    { kind: "date", name: "date[after]", label: "Du" },
    { kind: "date", name: "date[before]", label: "Au" },
  ],
  newValues: () => ({
    user: null,
    orderItems: [],
    total: "",
    shippingStreet: "",
    shippingCity: "",
    shippingPostalCode: "",
    billingStreet: "",
    billingCity: "",
    billingPostalCode: "",
    invoice_pdf_path: "",
  }),
  valuesOf: (row) => ({
    user: row.user && userOption(row.user),
    orderItems: row.orderItems.map(itemValues),
    total: String(eurosFromCents(centsFromEuros(row.total) ?? 0)),
    shippingStreet: row.shippingAddress?.shippingStreet ?? "",
    shippingCity: row.shippingAddress?.shippingCity ?? "",
    shippingPostalCode: row.shippingAddress?.shippingPostalCode ?? "",
    billingStreet: row.billingAddress?.billingStreet ?? "",
    billingCity: row.billingAddress?.billingCity ?? "",
    billingPostalCode: row.billingAddress?.billingPostalCode ?? "",
    invoice_pdf_path: row.invoice_pdf_path ?? "",
  }),
  labels: {
    user: "Utilisateur",
    orderItems: "Articles",
    total: "Total",
    ...(Object.fromEntries(ADDRESS_FIELDS) as Record<AddressField, string>),
    invoice_pdf_path: "Chemin du PDF de la facture",
  },
  check,
  request: ({ user, orderItems, total, ...rest }, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/admin_orders/${row.id}` : "/api/admin_orders",
    json: {
      ...rest,
      ...(user && { user: String(user.id) }),
      ...(!(row && areUnchanged(orderItems, row.orderItems)) && {
        orderItems: orderItems.map((item) => itemJson(item, String)),
      }),
      total: Number(total),
    },
  }),
  deletePath: ({ id }) => `/api/admin_orders/${id}`,
  Fields: OrderFields,
};

export function AdminOrdersScreen() {
  return <CrudScreen entity={orders} />;
}
