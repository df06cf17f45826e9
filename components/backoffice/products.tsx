"use client";

import Link from "next/link";
import { ProductImage } from "@/components/catalogue/product-image";
import { Badge } from "@/components/ui/badge";
import { Chip } from "@/components/ui/chip";
import { SelectField, TextareaField, TextField } from "@/components/ui/field";
import { amountHint, type Problem } from "@/lib/backoffice/rules";
import { PRODUCT_TYPE_LABELS } from "@/lib/backoffice/texts";
import { type KindJson, productTypeOf } from "@/lib/catalogue/rules";
import { formatDateTime } from "@/lib/dates";
import { centsFromEuros, formatEuros } from "@/lib/money";
import type { ProductType } from "@/lib/product-type";
import { REQUIRED } from "@/lib/texts";
import { ViewLink } from "./cells";
import { type Characteristic, Characteristics, missingPart, withTyped } from "./characteristics";
import { ID_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import { CATEGORIES, choicesOf, iriOf, labelOption, TAGS } from "./options";
import { PictureUpload } from "./picture-upload";
import { type Option, SearchMultiSelect, SearchSelect } from "./search-select";

interface Label {
  id: number;
  name: string;
  color: string;
}

interface ProductRow extends CrudRow, KindJson {
  name: string;
  description: string;
  /** Euros. */
  price: number;
  /** Percent. */
  vatRate?: number;
  image: string | null;
  defaultCategory: Label;
  categories: readonly Label[];
  tags: readonly Label[];
  downloadLink?: string | null;
  /** Ko. */
  filesize: number | null;
  filetype: string | null;
  characteristics: Readonly<Record<string, string>> | null;
  createdAt: string | null;
}

interface ProductValues {
  name: string;
  description: string;
  price: string;
  vatRate: string;
  image: string;
  type: ProductType;
  categories: readonly Option[];
  defaultCategory: Option | null;
  tags: readonly Option[];
  downloadLink: string;
  filesize: string;
  filetype: string;
  characteristics: readonly Characteristic[];
  /** Typed, and not yet added to the others. */
  characteristicName: string;
  characteristicValue: string;
}

const typedCharacteristic = (values: ProductValues): Characteristic => ({
  name: values.characteristicName,
  value: values.characteristicValue,
});

const NO_CATEGORY = "Veuillez sélectionner une catégorie par défaut.";
const NO_FILE_SIZE = "Veuillez renseigner une taille de fichier valide pour un produit digital.";

/** Those of France, in percent. */
const VAT_RATES = ["20", "10", "5.5", "2.1", "0"] as const;

const TYPES = choicesOf(PRODUCT_TYPE_LABELS);

const columns: readonly Column<ProductRow>[] = [
  ID_COLUMN,
  {
    id: "image",
    label: "Image",
    cell: ({ image, name }) => (
      <ProductImage
        image={image}
        alt={name}
        use="thumbnail"
        className="size-12 max-w-none rounded-sm bg-surface object-cover"
      />
    ),
  },
  {
    id: "name",
    label: "Nom",
    orderBy: "name",
    className: "lg:min-w-44 font-medium",
    cell: ({ name }) => name,
  },
  {
    id: "description",
    label: "Description",
    className: "lg:min-w-64",
    cell: ({ description }) => <p className="line-clamp-3">{description}</p>,
  },
  {
    id: "price",
    label: "Prix",
    orderBy: "price",
    className: "lg:whitespace-nowrap lg:text-right tabular-nums",
    cell: ({ price }) => formatEuros(centsFromEuros(price) ?? 0),
  },
  {
    id: "type",
    label: "Type",
    cell: (product) => {
      const type = productTypeOf(product);
      return (
        <Badge tone={type === "digital" ? "accent" : "neutral"}>{PRODUCT_TYPE_LABELS[type]}</Badge>
      );
    },
  },
  {
    id: "categories",
    label: "Catégories",
    className: "lg:min-w-36",
    cell: ({ categories }) => <Chips labels={categories} />,
  },
  {
    id: "defaultCategory",
    label: "Catégorie par défaut",
    cell: ({ defaultCategory }) => defaultCategory.name,
  },
  {
    id: "tags",
    label: "Tags",
    className: "lg:min-w-36",
    cell: ({ tags }) => <Chips labels={tags} />,
  },
  {
    id: "downloadLink",
    label: "Lien de téléchargement",
    className: "lg:min-w-44",
    cell: ({ downloadLink }) => downloadLink || "–",
  },
  {
    id: "filesize",
    label: "Taille du fichier",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ filesize }) => (typeof filesize === "number" ? `${filesize} Ko` : "–"),
  },
  { id: "filetype", label: "Type de fichier", cell: ({ filetype }) => filetype || "–" },
  {
    id: "characteristics",
    label: "Caractéristiques",
    className: "lg:min-w-52",
    cell: ({ characteristics }) =>
      characteristics && Object.keys(characteristics).length > 0 ? (
        <ul>
          {Object.entries(characteristics).map(([name, value]) => (
            <li key={name}>
              <span className="text-muted">{name}&nbsp;:</span> {value}
            </li>
          ))}
        </ul>
      ) : (
        "–"
      ),
  },
  {
    id: "createdAt",
    label: "Date de création",
    orderBy: "createdAt",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ createdAt }) => (createdAt ? formatDateTime(createdAt) : "–"),
  },
];

function Chips({ labels }: { labels: readonly Label[] }) {
  if (labels.length === 0) return "–";
  return (
    <span className="flex flex-wrap gap-1">
      {labels.map(({ id, name, color }) => (
        <Chip key={id} color={color} className="max-lg:whitespace-normal!">
          {name}
        </Chip>
      ))}
    </span>
  );
}

function ProductFields({
  values,
  set,
  problem,
  setWaiting,
}: FieldsProps<ProductRow, ProductValues>) {
  return (
    <>
      <TextField
        label="Nom"
        value={values.name}
        onChange={({ target }) => set("name", target.value)}
        required
        {...problem("name")}
      />
      <TextareaField
        label="Description"
        rows={4}
        value={values.description}
        onChange={({ target }) => set("description", target.value)}
        required
        {...problem("description")}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField
          type="number"
          label="Prix"
          unit="€"
          min={0}
          step={0.01}
          hint={amountHint(values.price)}
          value={values.price}
          onChange={({ target }) => set("price", target.value)}
          required
          {...problem("price")}
        />
        <SelectField
          label="Taux de TVA"
          value={values.vatRate}
          onChange={({ target }) => set("vatRate", target.value)}
          {...problem("vatRate")}
        >
          {VAT_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {rate.replace(".", ",")} %
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Type"
          value={values.type}
          onChange={({ target }) =>
            set("type", target.value === "digital" ? "digital" : "physical")
          }
        >
          {TYPES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <PictureUpload
        label="Image"
        value={values.image}
        onChange={(image) => set("image", image)}
        onBusy={setWaiting}
        {...problem("image")}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SearchSelect
          label="Catégorie par défaut"
          source={CATEGORIES}
          value={values.defaultCategory}
          emptyHint={
            <>
              Il n’y a aucune catégorie.{" "}
              <Link href="/backoffice/category" prefetch={false} className="link">
                Créez-en une
              </Link>{" "}
              d’abord.
            </>
          }
          onChange={(option) => set("defaultCategory", option)}
          {...problem("defaultCategory")}
        />
        <SearchMultiSelect
          label="Catégories"
          source={CATEGORIES}
          value={values.categories}
          onChange={(options) => set("categories", options)}
          {...problem("categories")}
        />
        <SearchMultiSelect
          label="Tags"
          source={TAGS}
          value={values.tags}
          onChange={(options) => set("tags", options)}
          {...problem("tags")}
        />
      </div>
      {values.type === "digital" ? (
        <>
          <TextField
            label="Lien de téléchargement"
            value={values.downloadLink}
            onChange={({ target }) => set("downloadLink", target.value)}
            optional
            {...problem("downloadLink")}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              type="number"
              label="Taille du fichier (Ko)"
              min={1}
              step={1}
              value={values.filesize}
              onChange={({ target }) => set("filesize", target.value)}
              {...problem("filesize")}
            />
            <TextField
              label="Type de fichier"
              value={values.filetype}
              onChange={({ target }) => set("filetype", target.value)}
              optional
              {...problem("filetype")}
            />
          </div>
        </>
      ) : (
        <Characteristics
          value={values.characteristics}
          onChange={(next) => set("characteristics", next)}
          typed={typedCharacteristic(values)}
          onType={({ name, value }) => {
            set("characteristicName", name);
            set("characteristicValue", value);
          }}
          nameProblem={problem("characteristicName")}
          valueProblem={problem("characteristicValue")}
        />
      )}
    </>
  );
}

function check(values: ProductValues): Problem[] {
  const problems: Problem[] = (["name", "description", "price"] as const)
    .filter((field) => values[field].trim() === "")
    .map((field) => ({ field, message: REQUIRED }));
  if (!values.defaultCategory) problems.push({ field: "defaultCategory", message: NO_CATEGORY });
  if (values.type === "digital" && !(Number(values.filesize) > 0))
    problems.push({ field: "filesize", message: NO_FILE_SIZE });
  const missing = values.type === "physical" ? missingPart(typedCharacteristic(values)) : null;
  if (missing)
    problems.push({
      field: missing === "name" ? "characteristicName" : "characteristicValue",
      message: REQUIRED,
    });
  return problems;
}

const request: CrudEntity<ProductRow, ProductValues>["request"] = (values, row) => {
  const { name, price, description, image, type } = values;
  const path = `/api/${type}_products`;
  const kind =
    type === "digital"
      ? {
          downloadLink: values.downloadLink,
          filesize: values.filesize === "" ? null : Number(values.filesize),
          filetype: values.filetype,
        }
      : {
          characteristics: Object.fromEntries(
            withTyped(values.characteristics, typedCharacteristic(values)).map((each) => [
              each.name,
              each.value,
            ]),
          ),
        };
  return {
    method: row ? "PUT" : "POST",
    path: row ? `${path}/${row.id}` : path,
    json: {
      name,
      price: Number(price),
      vatRate: Number(values.vatRate),
      description,
      image: image || null,
      defaultCategory: iriOf("/api/categories", values.defaultCategory),
      categories: values.categories.map((option) => iriOf("/api/categories", option)),
      tags: values.tags.map((option) => iriOf("/api/tags", option)),
      product_type: type,
      ...kind,
    },
  };
};

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
  columns,
  filters: [
    { kind: "choice", name: "type", label: "Type", options: TYPES },
    { kind: "search", name: "category", label: "Catégorie", source: CATEGORIES },
    {
      kind: "choice",
      name: "withoutImage",
      label: "Image",
      options: [{ value: "true", label: "Sans image" }],
    },
  ],
  newValues: () => ({
    name: "",
    description: "",
    price: "",
    vatRate: "20",
    image: "",
    type: "physical",
    categories: [],
    defaultCategory: null,
    tags: [],
    downloadLink: "",
    filesize: "",
    filetype: "",
    characteristics: [],
    characteristicName: "",
    characteristicValue: "",
  }),
  valuesOf: (row) => ({
    name: row.name,
    description: row.description,
    price: String(row.price),
    vatRate: String(row.vatRate ?? 20),
    image: row.image ?? "",
    type: productTypeOf(row),
    categories: row.categories.map(labelOption),
    defaultCategory: labelOption(row.defaultCategory),
    tags: row.tags.map(labelOption),
    downloadLink: row.downloadLink ?? "",
    filesize: String(row.filesize ?? ""),
    filetype: row.filetype ?? "",
    characteristics: Object.entries(row.characteristics ?? {}).map(([name, value]) => ({
      name,
      value,
    })),
    characteristicName: "",
    characteristicValue: "",
  }),
  labels: {
    name: "Nom",
    description: "Description",
    price: "Prix",
    vatRate: "Taux de TVA",
    image: "Image",
    type: "Type",
    categories: "Catégories",
    defaultCategory: "Catégorie par défaut",
    tags: "Tags",
    downloadLink: "Lien de téléchargement",
    filesize: "Taille du fichier (Ko)",
    filetype: "Type de fichier",
    characteristics: "Caractéristiques",
    characteristicName: "Nom de la caractéristique",
    characteristicValue: "Valeur de la caractéristique",
  },
  check,
  request,
  deletePath: ({ id }) => `/api/products/${id}`,
  Fields: ProductFields,
  rowActions: ({ id }) => <ViewLink href={`/product/${id}`} label="Voir" />,
};

export function AdminProductsScreen() {
  return <CrudScreen entity={products} />;
}
