"use client";

import { CheckboxField, SelectField, TextField } from "@/components/ui/field";
import type { AddressType } from "@/lib/addresses/rules";
import { POSTAL_CODE_EMPTY } from "@/lib/addresses/texts";
import type { Problem } from "@/lib/backoffice/rules";
import { ADDRESS_TYPE_LABELS, USER_REQUIRED } from "@/lib/backoffice/texts";
import { REQUIRED } from "@/lib/texts";
import { YesNo } from "./cells";
import { ID_COLUMN, USER_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import { choicesOf, iriOf, USERS, type UserRef, userOption } from "./options";
import type { Option } from "./search-select";
import { UserField } from "./user-field";

interface AddressRow extends CrudRow {
  street: string;
  city: string;
  postalCode: string;
  user: UserRef | null;
  type: AddressType;
  isDefault: boolean;
  isDefaultBilling: boolean;
}

interface AddressValues {
  street: string;
  city: string;
  postalCode: string;
  user: Option | null;
  type: AddressType;
  isDefault: boolean;
  isDefaultBilling: boolean;
}

const TYPES = choicesOf(ADDRESS_TYPE_LABELS);

const columns: readonly Column<AddressRow>[] = [
  ID_COLUMN,
  {
    id: "street",
    label: "Rue",
    orderBy: "street",
    className: "lg:min-w-44",
    cell: ({ street }) => street,
  },
  { id: "city", label: "Ville", orderBy: "city", cell: ({ city }) => city },
  {
    id: "postalCode",
    label: "Code postal",
    orderBy: "postalCode",
    className: "tabular-nums",
    cell: ({ postalCode }) => postalCode,
  },
  USER_COLUMN,
  { id: "type", label: "Type", cell: ({ type }) => ADDRESS_TYPE_LABELS[type] },
  { id: "isDefault", label: "Par défaut", cell: ({ isDefault }) => <YesNo value={isDefault} /> },
  {
    id: "isDefaultBilling",
    label: "Facturation par défaut",
    cell: ({ isDefaultBilling }) => <YesNo value={isDefaultBilling} />,
  },
];

function AddressFields({ values, set, problem }: FieldsProps<AddressRow, AddressValues>) {
  return (
    <>
      <TextField
        label="Rue"
        value={values.street}
        onChange={({ target }) => set("street", target.value)}
        required
        {...problem("street")}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Ville"
          value={values.city}
          onChange={({ target }) => set("city", target.value)}
          required
          {...problem("city")}
        />
        <TextField
          label="Code postal"
          value={values.postalCode}
          onChange={({ target }) => set("postalCode", target.value)}
          required
          {...problem("postalCode")}
        />
      </div>
      <UserField value={values.user} onChange={(user) => set("user", user)} {...problem("user")} />
      <SelectField
        label="Type"
        value={values.type}
        onChange={({ target }) => set("type", target.value === "billing" ? "billing" : "shipping")}
        {...problem("type")}
      >
        {TYPES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {values.type === "shipping" ? (
        <CheckboxField
          key="shipping"
          label="Par défaut"
          checked={values.isDefault}
          onChange={({ target }) => set("isDefault", target.checked)}
        />
      ) : (
        <CheckboxField
          key="billing"
          label="Facturation par défaut"
          checked={values.isDefaultBilling}
          onChange={({ target }) => set("isDefaultBilling", target.checked)}
        />
      )}
    </>
  );
}

function check(values: AddressValues): Problem[] {
  const problems: Problem[] = (["street", "city", "postalCode"] as const)
    .filter((field) => values[field].trim() === "")
    .map((field) => ({ field, message: field === "postalCode" ? POSTAL_CODE_EMPTY : REQUIRED }));
  if (!values.user) problems.push({ field: "user", message: USER_REQUIRED });
  return problems;
}

const addresses: CrudEntity<AddressRow, AddressValues> = {
  path: "/api/addresses",
  heading: "Gestion des adresses (CRUD)",
  addLabel: "Ajouter une adresse",
  editTitle: "Modifier l'adresse",
  emptyText: "Aucune adresse trouvée.",
  deleteQuestion: "Supprimer cette adresse ?",
  saveFailed: "Erreur lors de la sauvegarde de l'adresse.",
  searchHint: "Rue, ville, code postal",
  historyName: "Address",
  fileName: "adresses",
  columns,
  filters: [
    { kind: "choice", name: "type", label: "Type", options: TYPES },
    { kind: "search", name: "user", label: "Utilisateur", source: USERS },
  ],
  newValues: () => ({
    street: "",
    city: "",
    postalCode: "",
    user: null,
    type: "shipping",
    isDefault: false,
    isDefaultBilling: false,
  }),
  valuesOf: ({ street, city, postalCode, user, type, isDefault, isDefaultBilling }) => ({
    street,
    city,
    postalCode,
    user: user && userOption(user),
    type,
    isDefault,
    isDefaultBilling,
  }),
  labels: {
    street: "Rue",
    city: "Ville",
    postalCode: "Code postal",
    user: "Utilisateur",
    type: "Type",
    isDefault: "Par défaut",
    isDefaultBilling: "Facturation par défaut",
  },
  check,
  request: (values, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/addresses/${row.id}` : "/api/addresses",
    json: {
      ...values,
      user: iriOf("/api/users", values.user),
      isDefault: values.type === "shipping" && values.isDefault,
      isDefaultBilling: values.type === "billing" && values.isDefaultBilling,
    },
  }),
  deletePath: ({ id }) => `/api/addresses/${id}`,
  Fields: AddressFields,
};

export function AdminAddressesScreen() {
  return <CrudScreen entity={addresses} />;
}
