"use client";

import { YesNo } from "@/components/backoffice/crud/cells";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { checkboxInput, multiSelectInput, textInput } from "@/components/backoffice/forms/inputs";
import { choicesOf } from "@/components/backoffice/shared/option-sources";
import { EmailAddress } from "@/components/backoffice/shared/person-columns";
import { Badge } from "@/components/ui/badge";
import type { userResource } from "@/lib/account/admin-resource";
import { newUserInput, userChange } from "@/lib/account/admin-schemas";
import { updateSessionNames } from "@/lib/account/client";
import type { JsonOf } from "@/lib/http/api/resource";
import { ADMIN_ROLE, ROLES } from "@/lib/roles";
import { CustomerFile } from "./customer-file";
import { TwoFactorReset } from "./two-factor-reset";

type UserRow = JsonOf<typeof userResource>;

const token = (text: string | null) =>
  text ? (
    <code title={text} className="block w-24 truncate text-xs">
      {text}
    </code>
  ) : (
    "–"
  );

const fields = {
  name: {
    label: "Nom",
    column: { isSortable: true },
    input: textInput({ autoComplete: "off", required: true }),
  },
  lastname: {
    label: "Prénom",
    column: { isSortable: true },
    input: textInput({ autoComplete: "off", required: true }),
  },
  email: {
    label: "Email",
    column: {
      isSortable: true,
      className: "lg:min-w-52",
      cell: ({ email }) => <EmailAddress>{email}</EmailAddress>,
    },
    input: textInput({ type: "email", autoComplete: "off", required: true }),
  },
  roles: {
    label: "Rôles",
    column: {
      cell: ({ roles }) => (
        <span className="flex flex-wrap gap-1">
          {roles.map((role) => (
            <Badge key={role} tone={role === ADMIN_ROLE ? "accent" : "neutral"}>
              {role}
            </Badge>
          ))}
        </span>
      ),
    },
    input: multiSelectInput(ROLES, ["ROLE_USER"]),
  },
  isVerified: {
    label: "Vérifié",
    column: {},
    input: checkboxInput,
  },
  resetToken: {
    label: "Reset Token",
    column: { cell: ({ resetToken }) => token(resetToken) },
    input: textInput({ autoComplete: "off" }),
  },
  confirmationToken: {
    label: "Confirmation Token",
    column: { cell: ({ confirmationToken }) => token(confirmationToken) },
    input: textInput({ autoComplete: "off" }),
  },
  isDeleted: {
    label: "Supprimé",
    column: { cell: ({ isDeleted }) => <YesNo value={isDeleted} warns /> },
    input: checkboxInput,
  },
  password: {
    label: "Mot de passe",
    input: textInput((user) => ({
      type: "password",
      autoComplete: "new-password",
      required: !user,
      ...(user && { hint: "Laisser vide pour ne pas changer." }),
    })),
    value: () => "",
  },
} satisfies FieldsOf<UserRow, "password">;

const users: CrudEntity<UserRow, ValuesOf<typeof fields>> = {
  path: "/api/users",
  heading: "Gestion des utilisateurs (CRUD)",
  addLabel: "Ajouter un utilisateur",
  editTitle: "Modifier l'utilisateur",
  emptyText: "Aucun utilisateur trouvé.",
  deleteQuestion: "Supprimer cet utilisateur ?",
  saveFailed: "Erreur lors de la sauvegarde de l'utilisateur.",
  hasErrorField: true,
  searchHint: "Nom, prénom, e-mail",
  historyName: "User",
  nameOf: ({ email }) => email,
  fileName: "utilisateurs",
  fields,
  filters: [
    {
      kind: "choice",
      name: "role",
      label: "Rôle",
      options: ROLES.map((role) => ({ value: role, label: role })),
    },
    {
      kind: "choice",
      name: "isVerified",
      label: "Vérification",
      options: choicesOf({ true: "E-mail vérifié", false: "E-mail non vérifié" }),
    },
    {
      kind: "choice",
      name: "isDeleted",
      label: "Compte",
      options: choicesOf({ false: "En service", true: "Fermé" }),
    },
  ],
  layout: ({ field }) => (
    <>
      {field("email")}
      <div className="grid gap-5 sm:grid-cols-2">
        {field("name")}
        {field("lastname")}
      </div>
      {field("roles")}
      {field("password")}
      <div className="grid gap-5 sm:grid-cols-2">
        {field("resetToken")}
        {field("confirmationToken")}
      </div>
      <div className="flex flex-wrap gap-x-8 gap-y-2">
        {field("isVerified")}
        {field("isDeleted")}
      </div>
    </>
  ),
  shopFields: ["resetToken", "confirmationToken", "isVerified"],
  secretFields: ["password", "resetToken", "confirmationToken"],
  schema: (_, row) => (row ? userChange : newUserInput),
  toJson: ({ password, ...values }) => ({ ...values, ...(password && { password }) }),
  savePath: (_, row) => (row ? `/api/admin/users/${row.id}` : "/api/admin/users"),
  afterSave: updateSessionNames,
  rowActions: (user, tools) => (
    <>
      <TwoFactorReset user={user} tools={tools} />
      <CustomerFile user={user} />
    </>
  ),
};

export const BackofficeUsersScreen = () => <CrudScreen entity={users} />;
