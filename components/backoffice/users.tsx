"use client";

import { Badge } from "@/components/ui/badge";
import { CheckboxField, SelectField, TextField } from "@/components/ui/field";
import { updateSessionNames } from "@/lib/account/client";
import { ADMIN_ROLE, ROLES } from "@/lib/roles";
import { REQUIRED } from "@/lib/texts";
import { YesNo } from "./cells";
import { EmailAddress, ID_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";

interface UserRow extends CrudRow {
  email: string;
  /** Family name. */
  name: string;
  /** Given name. */
  lastname: string;
  roles: readonly string[];
  resetToken: string | null;
  confirmationToken: string | null;
  isVerified: boolean;
  isDeleted: boolean;
}

interface UserValues {
  email: string;
  name: string;
  lastname: string;
  roles: readonly string[];
  password: string;
  resetToken: string;
  confirmationToken: string;
  isVerified: boolean;
  isDeleted: boolean;
}

const token = (text: string | null) =>
  text ? (
    <code title={text} className="block w-24 truncate text-xs">
      {text}
    </code>
  ) : (
    "–"
  );

const columns: readonly Column<UserRow>[] = [
  ID_COLUMN,
  { id: "name", label: "Nom", orderBy: "name", cell: ({ name }) => name },
  { id: "lastname", label: "Prénom", orderBy: "lastname", cell: ({ lastname }) => lastname },
  {
    id: "email",
    label: "Email",
    orderBy: "email",
    className: "lg:min-w-52",
    cell: ({ email }) => <EmailAddress>{email}</EmailAddress>,
  },
  {
    id: "roles",
    label: "Rôles",
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
  { id: "isVerified", label: "Vérifié", cell: ({ isVerified }) => <YesNo value={isVerified} /> },
  { id: "resetToken", label: "Reset Token", cell: ({ resetToken }) => token(resetToken) },
  {
    id: "confirmationToken",
    label: "Confirmation Token",
    cell: ({ confirmationToken }) => token(confirmationToken),
  },
  {
    id: "isDeleted",
    label: "Supprimé",
    cell: ({ isDeleted }) => <YesNo value={isDeleted} warns />,
  },
];

function UserFields({ values, set, problem, row }: FieldsProps<UserRow, UserValues>) {
  return (
    <>
      <TextField
        type="email"
        label="Email"
        autoComplete="off"
        value={values.email}
        onChange={({ target }) => set("email", target.value)}
        required
        {...problem("email")}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Nom"
          autoComplete="off"
          value={values.name}
          onChange={({ target }) => set("name", target.value)}
          required
          {...problem("name")}
        />
        <TextField
          label="Prénom"
          autoComplete="off"
          value={values.lastname}
          onChange={({ target }) => set("lastname", target.value)}
          required
          {...problem("lastname")}
        />
      </div>
      <SelectField
        label="Rôles"
        multiple
        size={ROLES.length}
        className="[&_.control]:bg-none [&_.control]:p-1.5 [&_option]:rounded-sm [&_option]:px-2 [&_option]:py-1.5"
        value={[...values.roles]}
        onChange={({ target }) =>
          set(
            "roles",
            [...target.selectedOptions].map(({ value }) => value),
          )
        }
        {...problem("roles")}
      >
        {ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </SelectField>
      <TextField
        type="password"
        label="Mot de passe"
        autoComplete="new-password"
        hint={row ? "Laisser vide pour ne pas changer." : undefined}
        value={values.password}
        onChange={({ target }) => set("password", target.value)}
        required={!row}
        {...problem("password")}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Reset Token"
          autoComplete="off"
          value={values.resetToken}
          onChange={({ target }) => set("resetToken", target.value)}
          {...problem("resetToken")}
        />
        <TextField
          label="Confirmation Token"
          autoComplete="off"
          value={values.confirmationToken}
          onChange={({ target }) => set("confirmationToken", target.value)}
          {...problem("confirmationToken")}
        />
      </div>
      <div className="flex flex-wrap gap-x-8 gap-y-2">
        <CheckboxField
          label="Vérifié"
          checked={values.isVerified}
          onChange={({ target }) => set("isVerified", target.checked)}
          {...problem("isVerified")}
        />
        <CheckboxField
          label="Supprimé"
          checked={values.isDeleted}
          onChange={({ target }) => set("isDeleted", target.checked)}
          {...problem("isDeleted")}
        />
      </div>
    </>
  );
}

const users: CrudEntity<UserRow, UserValues> = {
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
  fileName: "utilisateurs",
  columns,
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
      options: [
        { value: "true", label: "E-mail vérifié" },
        { value: "false", label: "E-mail non vérifié" },
      ],
    },
    {
      kind: "choice",
      name: "isDeleted",
      label: "Compte",
      options: [
        { value: "false", label: "En service" },
        { value: "true", label: "Fermé" },
      ],
    },
  ],
  newValues: () => ({
    email: "",
    name: "",
    lastname: "",
    roles: ["ROLE_USER"],
    password: "",
    resetToken: "",
    confirmationToken: "",
    isVerified: false,
    isDeleted: false,
  }),
  valuesOf: ({ email, name, lastname, roles, isVerified, isDeleted, ...row }) => ({
    email,
    name,
    lastname,
    roles: ROLES.filter((role) => roles.includes(role)),
    password: "",
    resetToken: row.resetToken ?? "",
    confirmationToken: row.confirmationToken ?? "",
    isVerified,
    isDeleted,
  }),
  shopFields: ["resetToken", "confirmationToken", "isVerified"],
  secretFields: ["password", "resetToken", "confirmationToken"],
  labels: {
    email: "Email",
    name: "Nom",
    lastname: "Prénom",
    roles: "Rôles",
    password: "Mot de passe",
    resetToken: "Reset Token",
    confirmationToken: "Confirmation Token",
    isVerified: "Vérifié",
    isDeleted: "Supprimé",
  },
  check: (values, row) => {
    const required = ["email", "name", "lastname", ...(row ? [] : ["password" as const])] as const;
    return required
      .filter((field) => values[field].trim() === "")
      .map((field) => ({ field, message: REQUIRED }));
  },
  request: ({ password, ...values }, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/admin/users/${row.id}` : "/api/admin/users",
    json: { ...values, ...(password && { password }) },
  }),
  afterSave: updateSessionNames,
  deletePath: ({ id }) => `/api/users/${id}`,
  Fields: UserFields,
};

export function AdminUsersScreen() {
  return <CrudScreen entity={users} />;
}
