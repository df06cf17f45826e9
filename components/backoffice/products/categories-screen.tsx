"use client";

import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { formatNumber } from "@/lib/numbers";
import { type CategoryRow, LABEL, type LabelEntity } from "./labels";

function warningOf(rows: readonly CategoryRow[]): string {
  const count = rows.reduce((sum, { defaultProductsCount }) => sum + defaultProductsCount, 0);
  const which = rows.length === 1 ? "cette catégorie" : "l’une de ces catégories";
  const warning = `Attention\u00a0: les produits ayant ${which} par défaut seront également supprimés`;
  if (count === 0) return `${warning} (aucun pour le moment).`;
  return `${warning} (${formatNumber(count)} ${count === 1 ? "produit" : "produits"}).`;
}

const categories: LabelEntity<CategoryRow> = {
  ...LABEL,
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
