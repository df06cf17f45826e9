"use client";

import {
  digitalProductChange,
  digitalProductInput,
  physicalProductChange,
  physicalProductInput,
} from "@/lib/catalogue/admin-schemas";
import { REQUIRED } from "@/lib/texts";
import { ViewLink } from "./cells";
import { type Characteristic, Characteristics, missingPart, withTyped } from "./characteristics";
import type { CrudEntity } from "./crud-entity";
import type { ValuesOf } from "./crud-field";
import { CrudScreen } from "./crud-screen";
import { CATEGORIES, iriOf, numberOf } from "./options";
import { fields, type ProductRow, TYPES } from "./product-fields";
import { StockButton } from "./stock-dialog";
import { StockImport } from "./stock-import";

type ProductValues = ValuesOf<typeof fields>;

const layout: CrudEntity<ProductRow, ProductValues>["layout"] = ({ field, control, values }) => (
  <>
    {field("name")}
    {field("description")}
    <div className="grid gap-5 sm:grid-cols-3">
      {field("price")}
      {field("vatRate")}
      {field("type")}
    </div>
    {field("image")}
    <div className="grid items-start gap-5 sm:grid-cols-2">
      {field("defaultCategory")}
      {field("categories")}
      {field("tags")}
    </div>
    {values.type === "digital" ? (
      <>
        {field("downloadLink")}
        <div className="grid gap-5 sm:grid-cols-2">
          {field("filesize")}
          {field("filetype")}
        </div>
      </>
    ) : (
      <>
        <div className="grid items-start gap-5 sm:grid-cols-3">
          {field("stock")}
          {field("lowStockThreshold")}
          {field("weight")}
        </div>
        <Characteristics
          list={control("characteristics")}
          name={control("characteristicName")}
          value={control("characteristicValue")}
        />
      </>
    )}
  </>
);

const typedCharacteristic = (values: ProductValues): Characteristic => ({
  name: values.characteristicName,
  value: values.characteristicValue,
});

/** What only one kind of product has. */
function kindJson(values: ProductValues, row: ProductRow | null) {
  const {
    type,
    stock,
    lowStockThreshold,
    weight,
    downloadLink,
    filesize,
    filetype,
    characteristics,
  } = values;
  if (type === "digital") return { downloadLink, filesize: numberOf(filesize), filetype };
  const all = withTyped(characteristics, typedCharacteristic(values));
  return {
    weight: numberOf(weight),
    characteristics: Object.fromEntries(all.map(({ name, value }) => [name, value])),
    // A stock that was not touched is left to the sales that happen meanwhile.
    ...((!row || stock !== String(row.stock ?? "")) && { stock: numberOf(stock) }),
    lowStockThreshold: numberOf(lowStockThreshold),
  };
}

const products: CrudEntity<ProductRow, ProductValues> = {
  path: "/api/products",
  heading: "Gestion des produits (CRUD)",
  addLabel: "Ajouter un produit",
  editTitle: "Modifier le produit",
  emptyText: "Aucun produit trouvé.",
  deleteQuestion: "Supprimer ce produit ?",
  saveFailed: "Erreur lors de la sauvegarde du produit.",
  searchHint: "Nom, description",
  historyName: "Product",
  fileName: "produits",
  formSize: "lg",
  fields,
  filters: [
    { kind: "choice", name: "type", label: "Type", options: TYPES },
    { kind: "search", name: "category", label: "Catégorie", source: CATEGORIES },
    {
      kind: "choice",
      name: "withoutImage",
      label: "Image",
      options: [{ value: "true", label: "Sans image" }],
    },
    {
      kind: "choice",
      name: "stockState",
      label: "Stock",
      options: [
        { value: "sold_out", label: "Épuisé" },
        { value: "low", label: "Bas" },
      ],
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
    price: numberOf(values.price),
    vatRate: Number(values.vatRate),
    description: values.description,
    image: values.image || null,
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
      <ViewLink href={`/product/${row.id}`} label="Voir" />
      <StockButton product={row} tools={tools} />
    </>
  ),
  listActions: ({ done }) => <StockImport onDone={done} />,
};

export function AdminProductsScreen() {
  return <CrudScreen entity={products} />;
}
