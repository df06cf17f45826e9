"use client";

import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { textareaInput } from "@/components/backoffice/forms/inputs";
import { categoryChange, categoryInput } from "@/lib/catalogue/admin-schemas";
import { formatNumber } from "@/lib/numbers";
import { type CategoryRow, LABEL, labelFields } from "./labels";

const fields = {
  ...labelFields,
  filters: {
    label: "Filtres",
    value: ({ filters }) => filters.join("\n"),
    input: textareaInput({
      optional: true,
      rows: 3,
      hint: "Caractéristiques proposées comme filtres du catalogue, une par ligne\u00a0: Matière, Couleur…",
    }),
  },
} satisfies FieldsOf<CategoryRow>;

function warningOf(rows: readonly CategoryRow[]): string {
  const count = rows.reduce((sum, { defaultProductsCount }) => sum + defaultProductsCount, 0);
  const which = rows.length === 1 ? "cette catégorie" : "l’une de ces catégories";
  const warning = `Attention\u00a0: les produits ayant ${which} par défaut seront également supprimés`;
  if (count === 0) return `${warning} (aucun pour le moment).`;
  return `${warning} (${formatNumber(count)} ${count === 1 ? "produit" : "produits"}).`;
}

const categories: CrudEntity<CategoryRow, ValuesOf<typeof fields>> = {
  ...LABEL,
  fields,
  schema: (_, row) => (row ? categoryChange : categoryInput),
  toJson: ({ filters, ...values }) => ({ ...values, filters: filters.split("\n") }),
  path: "/api/categories",
  heading: "Gestion des catégories (CRUD)",
  addLabel: "Ajouter une catégorie",
  editTitle: "Modifier la catégorie",
  emptyText: "Aucune catégorie trouvée.",
  deleteQuestion: "Supprimer cette catégorie ?",
  deleteWarning: warningOf,
  saveFailed: "Erreur lors de la sauvegarde de la catégorie.",
  historyName: "Category",
  nameOf: ({ name }) => name,
  fileName: "categories",
  deletePath: ({ id }) => `/api/admin/categories/${id}/delete-with-products`,
};

export const BackofficeCategoriesScreen = () => <CrudScreen entity={categories} />;
