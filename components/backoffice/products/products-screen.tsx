"use client";

import { NoButton, ViewLink } from "@/components/backoffice/crud/cells";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import {
  CATEGORIES,
  choicesOf,
  eurosOf,
  iriOf,
} from "@/components/backoffice/shared/option-sources";
import { StockButton } from "@/components/backoffice/stock/stock-dialog";
import { StockImport } from "@/components/backoffice/stock/stock-import";
import {
  digitalProductChange,
  digitalProductInput,
  physicalProductChange,
  physicalProductInput,
} from "@/lib/catalogue/admin-schemas";
import { formatNumber } from "@/lib/numbers";
import { REQUIRED } from "@/lib/text/texts";
import { missingPart } from "./characteristics";
import {
  fields,
  kindJson,
  type ProductRow,
  type ProductValues,
  STATUSES,
  TYPES,
  typedCharacteristic,
} from "./product-fields";
import { layout } from "./product-layout";

function warningOf(rows: readonly ProductRow[]): string {
  const count = rows.reduce((sum, { reviewsCount }) => sum + reviewsCount, 0);
  const whose = rows.length === 1 ? "les avis sur ce produit" : "les avis sur ces produits";
  const warning = `Attention\u00a0: ${whose} seront également supprimés, définitivement`;
  if (count === 0) return `${warning} (aucun n’est publié).`;
  return `${warning} (${formatNumber(count)} ${count === 1 ? "publié" : "publiés"}).`;
}

const products: CrudEntity<ProductRow, ProductValues> = {
  path: "/api/products",
  heading: "Gestion des produits (CRUD)",
  addLabel: "Ajouter un produit",
  editTitle: "Modifier le produit",
  emptyText: "Aucun produit trouvé.",
  deleteQuestion: "Supprimer ce produit ?",
  deleteWarning: warningOf,
  saveFailed: "Erreur lors de la sauvegarde du produit.",
  searchHint: "Nom, description, marque, référence",
  historyName: "Product",
  nameOf: ({ name }) => name,
  fileName: "produits",
  formSize: "lg",
  fields,
  filters: [
    { kind: "choice", name: "type", label: "Type", options: TYPES },
    { kind: "choice", name: "status", label: "Statut", options: STATUSES },
    { kind: "search", name: "category", label: "Catégorie", source: CATEGORIES },
    {
      kind: "choice",
      name: "withoutImage",
      label: "Image",
      options: choicesOf({ true: "Sans image" }),
    },
    {
      kind: "choice",
      name: "withoutWeight",
      label: "Poids",
      options: choicesOf({ true: "Sans poids" }),
    },
    {
      kind: "choice",
      name: "stockState",
      label: "Stock",
      options: choicesOf({ sold_out: "Épuisé", low: "Bas" }),
    },
  ],
  layout,
  schema: ({ type }, row) => {
    if (type === "digital") return row ? digitalProductChange : digitalProductInput;
    return row ? physicalProductChange : physicalProductInput;
  },
  check: (values) => {
    const missing = values.type === "physical" ? missingPart(typedCharacteristic(values)) : null;
    if (!missing) return [];
    const field = missing === "name" ? "characteristicName" : "characteristicValue";
    return [{ field, message: REQUIRED }];
  },
  toJson: (values, row) => ({
    name: values.name,
    price: eurosOf(values.price),
    vatRate: Number(values.vatRate),
    description: values.description,
    image: values.images[0]?.url ?? null,
    images: values.images,
    sku: values.sku,
    gtin: values.gtin,
    brand: values.brand,
    status: values.status,
    defaultCategory: iriOf("/api/categories", values.defaultCategory),
    categories: values.categories.map((option) => iriOf("/api/categories", option)),
    tags: values.tags.map((option) => iriOf("/api/tags", option)),
    product_type: values.type,
    ...kindJson(values, row),
  }),
  shopFields: ["stock"],
  savePath: ({ type }, row) => (row ? `/api/${type}_products/${row.id}` : `/api/${type}_products`),
  rowActions: (row, tools) => (
    <>
      {/* A draft has no page yet. */}
      {row.status === "draft" ? (
        <NoButton />
      ) : (
        <ViewLink href={`/product/${row.id}`} label="Voir" />
      )}
      <StockButton product={row} tools={tools} />
    </>
  ),
  listActions: ({ done }) => <StockImport onDone={done} />,
};

export const BackofficeProductsScreen = () => <CrudScreen entity={products} />;
