"use client";

import { CrudScreen } from "./crud-screen";
import { labelEntity } from "./labels";

const tags = labelEntity({
  path: "/api/tags",
  heading: "Gestion des tags (CRUD)",
  addLabel: "Ajouter un tag",
  editTitle: "Modifier le tag",
  emptyText: "Aucun tag trouvé.",
  deleteQuestion: "Supprimer ce tag ?",
  saveFailed: "Erreur lors de la sauvegarde du tag.",
  historyName: "Tag",
  fileName: "tags",
  deletePath: ({ id }) => `/api/tags/${id}`,
});

export function AdminTagsScreen() {
  return <CrudScreen entity={tags} />;
}
