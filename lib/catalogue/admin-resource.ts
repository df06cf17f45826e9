import { z } from "zod";
import { type CsvColumn, momentCell } from "@/lib/http/api/csv";
import { type JsonOf, type Resource, resource } from "@/lib/http/api/resource";
import { PRODUCT_TYPE_LABELS, productClasses } from "@/lib/product-type";
import { EXPORTED_STOCK } from "@/lib/stock/texts";
import type { AdminProductRow } from "./admin";
import type { AdminLabelRow } from "./label-admin";
import { categoryResource, productResource, tagResource } from "./resource";

const version = z.int().describe("Version, augmentée par chaque modification");

// Products ----------------------------------------------------------------------------------------

const productSchema = productResource.schema.extend({
  downloadLink: z
    .string()
    .nullable()
    .describe("Lien de téléchargement d'un produit numérique, pour les administrateurs"),
  weight: z
    .int()
    .nullable()
    .describe("Poids d'un produit physique en grammes, pour les administrateurs"),
  stock: z
    .int()
    .nullable()
    .describe(
      "Exemplaires en stock, null s'ils ne sont pas comptés ; les autres clients n'en voient le nombre que s'il en reste peu",
    ),
  lowStockThreshold: z
    .int()
    .nullable()
    .describe("Seuil à partir duquel il en reste peu, pour les administrateurs"),
  version: version.describe("Version, pour les administrateurs"),
});

const productJson = (row: AdminProductRow): z.input<typeof productSchema> => ({
  ...productResource.toJson(row),
  downloadLink: row.downloadLink,
  weight: row.weight,
  stock: row.stock,
  lowStockThreshold: row.lowStockThreshold,
  version: row.version,
});

const embedded = () => ({
  defaultCategory: categoryResource,
  categories: categoryResource,
  tags: tagResource,
});

export const adminProductResource = resource({
  name: "Product",
  path: "/api/products",
  description: "Un produit du catalogue, physique ou numérique",
  ...productClasses,
  schema: productSchema,
  embedded,
  toJson: productJson,
});

/**
 * The products of one kind, at the path where they are written. Each product's `@id` is its address among all
 * products.
 */
function kindResource({
  name,
  path,
  description,
}: {
  name: string;
  path: string;
  description: string;
}): Resource<AdminProductRow, typeof productSchema> {
  return {
    ...resource({ name, path, description, schema: productSchema, embedded, toJson: productJson }),
    iri: adminProductResource.iri,
    toLd: adminProductResource.toLd,
    ldOf: adminProductResource.ldOf,
  };
}

export const physicalProductResource = kindResource({
  name: "PhysicalProduct",
  path: "/api/physical_products",
  description: "Un produit physique, pour les administrateurs",
});

export const digitalProductResource = kindResource({
  name: "DigitalProduct",
  path: "/api/digital_products",
  description: "Un produit numérique, pour les administrateurs",
});

const names = (labels: readonly { name: string }[]) => labels.map(({ name }) => name).join(", ");

export const productCsvColumns: CsvColumn<JsonOf<typeof adminProductResource>>[] = [
  { head: "ID", value: ({ id }) => id },
  { head: "Nom", value: ({ name }) => name },
  { head: "Description", value: ({ description }) => description },
  { head: "Prix (€)", value: ({ price }) => price },
  { head: "TVA (%)", value: ({ vatRate }) => vatRate },
  { head: "Type", value: ({ productType }) => PRODUCT_TYPE_LABELS[productType] },
  { head: "Image", value: ({ image }) => image },
  { head: "Catégorie par défaut", value: ({ defaultCategory }) => defaultCategory.name },
  { head: "Catégories", value: ({ categories }) => names(categories) },
  { head: "Tags", value: ({ tags }) => names(tags) },
  { head: "Lien de téléchargement", value: ({ downloadLink }) => downloadLink },
  { head: "Taille (Ko)", value: ({ filesize }) => filesize },
  { head: "Type de fichier", value: ({ filetype }) => filetype },
  {
    head: "Caractéristiques",
    value: ({ characteristics }) =>
      Object.entries(characteristics ?? {})
        .map(([name, value]) => `${name} : ${value}`)
        .join(", "),
  },
  { head: "Stock", value: ({ stock }) => stock },
  { head: "Seuil de stock bas", value: ({ lowStockThreshold }) => lowStockThreshold },
  { head: "Ventes", value: ({ sales_count }) => sales_count },
  { head: "Note moyenne", value: ({ avgRating }) => avgRating && Math.round(avgRating * 10) / 10 },
  { head: "Créé le", value: ({ createdAt }) => momentCell(createdAt) },
  { head: "Poids (g)", value: ({ weight }) => weight },
  { head: EXPORTED_STOCK, value: ({ stock }) => stock },
];

// Categories and tags -----------------------------------------------------------------------------

const labelProductSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
});

/** A product in the JSON of a category or a tag. */
const labelProductResource = resource({
  name: "LabelProduct",
  path: null,
  description: "Un produit d'une catégorie ou d'une étiquette",
  schema: labelProductSchema,
  toJson: ({ id, name }: { id: number; name: string }) => ({ id, name }),
});

const labelFields = {
  ...categoryResource.schema.shape,
  products: z
    .array(labelProductSchema)
    .describe("Ses premiers produits, 100 au plus, pour les administrateurs"),
  productsCount: z.int().describe("Nombre de ses produits, pour les administrateurs"),
  version,
};

const labelJson = ({ defaultProductsCount: _, ...label }: AdminLabelRow) => label;

export const adminCategoryResource = resource({
  name: "Category",
  path: "/api/categories",
  description: "Une catégorie de produits",
  schema: z.object({
    ...labelFields,
    defaultProductsCount: z
      .int()
      .describe(
        "Nombre de produits dont elle est la catégorie par défaut, qui partiraient avec elle",
      ),
  }),
  embedded: () => ({ products: labelProductResource }),
  toJson: (row: AdminLabelRow) => ({
    ...labelJson(row),
    defaultProductsCount: row.defaultProductsCount,
  }),
});

export const adminTagResource = resource({
  name: "Tag",
  path: "/api/tags",
  description: "Une étiquette de produits",
  schema: z.object(labelFields),
  embedded: () => ({ products: labelProductResource }),
  toJson: labelJson,
});

export const labelColumns: CsvColumn<AdminLabelRow>[] = [
  { head: "ID", value: ({ id }) => id },
  { head: "Nom", value: ({ name }) => name },
  { head: "Couleur", value: ({ color }) => color },
  { head: "Produits", value: ({ productsCount }) => productsCount },
];
