import { z } from "zod";
import type { CsvColumns } from "@/lib/backoffice/list";
import { momentCell } from "@/lib/http/api/csv";
import { type JsonOf, type Resource, resource } from "@/lib/http/api/resource";
import { PRODUCT_TYPE_LABELS, productClasses } from "@/lib/shop/product-type";
import { EXPORTED_STOCK } from "@/lib/stock/texts";
import type { AdminProductRow } from "./admin";
import type { AdminLabelRow } from "./admin-labels";
import { categoryResource, productResource, tagResource } from "./resource";
import { PRODUCT_STATUS_LABELS } from "./rules";

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

export const productCsvColumns: CsvColumns<JsonOf<typeof adminProductResource>> = {
  ID: ({ id }) => id,
  Nom: ({ name }) => name,
  Description: ({ description }) => description,
  "Prix (€)": ({ price }) => price,
  "TVA (%)": ({ vatRate }) => vatRate,
  Type: ({ productType }) => PRODUCT_TYPE_LABELS[productType],
  Image: ({ image }) => image,
  "Catégorie par défaut": ({ defaultCategory }) => defaultCategory.name,
  Catégories: ({ categories }) => names(categories),
  Tags: ({ tags }) => names(tags),
  "Lien de téléchargement": ({ downloadLink }) => downloadLink,
  "Taille (Ko)": ({ filesize }) => filesize,
  "Type de fichier": ({ filetype }) => filetype,
  Caractéristiques: ({ characteristics }) =>
    Object.entries(characteristics ?? {})
      .map(([name, value]) => `${name} : ${value}`)
      .join(", "),
  Stock: ({ stock }) => stock,
  "Seuil de stock bas": ({ lowStockThreshold }) => lowStockThreshold,
  Ventes: ({ sales_count }) => sales_count,
  "Note moyenne": ({ avgRating }) => avgRating && Math.round(avgRating * 10) / 10,
  "Créé le": ({ createdAt }) => momentCell(createdAt),
  "Poids (g)": ({ weight }) => weight,
  Images: ({ images }) => images.map(({ url }) => url).join(", "),
  "Référence (SKU)": ({ sku }) => sku,
  "Code-barres (GTIN)": ({ gtin }) => gtin,
  Marque: ({ brand }) => brand,
  Statut: ({ status }) => PRODUCT_STATUS_LABELS[status],
  [EXPORTED_STOCK]: ({ stock }) => stock,
};

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

const labelJson = ({ defaultProductsCount: _, filters: _filters, ...label }: AdminLabelRow) =>
  label;

export const adminCategoryResource = resource({
  name: "Category",
  path: "/api/categories",
  description: "Une catégorie de produits",
  schema: z.object({
    ...labelFields,
    filters: z
      .array(z.string())
      .describe("Caractéristiques par lesquelles ses produits peuvent être filtrés"),
    defaultProductsCount: z
      .int()
      .describe(
        "Nombre de produits dont elle est la catégorie par défaut, qui partiraient avec elle",
      ),
  }),
  embedded: () => ({ products: labelProductResource }),
  toJson: (row: AdminLabelRow) => ({
    ...labelJson(row),
    filters: row.filters,
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
