"use client";

import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { LABEL, type LabelEntity, type TagRow } from "./labels";

const tags: LabelEntity<TagRow> = {
  ...LABEL,
  path: "/api/tags",
  heading: "Gestion des tags (CRUD)",
  addLabel: "Ajouter un tag",
  editTitle: "Modifier le tag",
  emptyText: "Aucun tag trouvé.",
  deleteQuestion: "Supprimer ce tag ?",
  saveFailed: "Erreur lors de la sauvegarde du tag.",
  historyName: "Tag",
  nameOf: ({ name }) => name,
  fileName: "tags",
};

export const BackofficeTagsScreen = () => <CrudScreen entity={tags} />;
