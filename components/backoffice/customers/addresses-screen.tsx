"use client";

import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import {
  checkboxInput,
  searchInput,
  selectInput,
  textInput,
} from "@/components/backoffice/forms/inputs";
import { choicesOf, fullName, iriOf, USERS } from "@/components/backoffice/shared/option-sources";
import { USER_COLUMN, USER_FILTER } from "@/components/backoffice/shared/person-columns";
import type { adminAddressResource } from "@/lib/addresses/admin-resource";
import { adminAddressChange, adminAddressInput } from "@/lib/addresses/admin-schemas";
import { ADDRESS_TYPE_LABELS } from "@/lib/backoffice/texts";
import type { JsonOf } from "@/lib/http/api/resource";

type AddressRow = JsonOf<typeof adminAddressResource>;

const TYPES = choicesOf(ADDRESS_TYPE_LABELS);

const fields = {
  street: {
    label: "Rue",
    column: { isSortable: true, className: "lg:min-w-44" },
    input: textInput({ required: true }),
  },
  city: {
    label: "Ville",
    column: { isSortable: true },
    input: textInput({ required: true }),
  },
  postalCode: {
    label: "Code postal",
    column: { isSortable: true, className: "tabular-nums" },
    input: textInput({ required: true }),
  },
  recipient: {
    label: "Destinataire",
    input: textInput({}),
  },
  company: {
    label: "Société",
    input: textInput({}),
  },
  complement: {
    label: "Complément d’adresse",
    input: textInput({}),
  },
  phone: {
    label: "Téléphone",
    input: textInput({}),
  },
  user: {
    label: "Utilisateur",
    column: USER_COLUMN,
    input: searchInput(USERS),
  },
  type: {
    label: "Type",
    column: { cell: ({ type }) => ADDRESS_TYPE_LABELS[type] },
    input: selectInput(TYPES, "shipping"),
  },
  isDefault: {
    label: "Par défaut",
    column: {},
    input: checkboxInput,
  },
  isDefaultBilling: {
    label: "Facturation par défaut",
    column: {},
    input: checkboxInput,
  },
} satisfies FieldsOf<AddressRow>;

const addresses: CrudEntity<AddressRow, ValuesOf<typeof fields>> = {
  path: "/api/addresses",
  heading: "Gestion des adresses (CRUD)",
  addLabel: "Ajouter une adresse",
  editTitle: "Modifier l'adresse",
  emptyText: "Aucune adresse trouvée.",
  deleteQuestion: "Supprimer cette adresse ?",
  saveFailed: "Erreur lors de la sauvegarde de l'adresse.",
  searchHint: "Rue, ville, code postal",
  historyName: "Address",
  nameOf: ({ street, city, user }) => `${street}, ${city} (${fullName(user)})`,
  fileName: "adresses",
  fields,
  filters: [{ kind: "choice", name: "type", label: "Type", options: TYPES }, USER_FILTER],
  layout: ({ field, values }) => (
    <>
      {field("street")}
      <div className="grid gap-5 sm:grid-cols-2">
        {field("city")}
        {field("postalCode")}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        {field("recipient")}
        {field("company")}
        {field("complement")}
        {field("phone")}
      </div>
      {field("user")}
      {field("type")}
      {field(values.type === "shipping" ? "isDefault" : "isDefaultBilling")}
    </>
  ),
  schema: (_, row) => (row ? adminAddressChange : adminAddressInput),
  toJson: (values) => ({
    ...values,
    user: iriOf("/api/users", values.user),
    isDefault: values.type === "shipping" && values.isDefault,
    isDefaultBilling: values.type === "billing" && values.isDefaultBilling,
  }),
};

export const BackofficeAddressesScreen = () => <CrudScreen entity={addresses} />;
