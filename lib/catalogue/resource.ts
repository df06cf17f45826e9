import { z } from "zod";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { productClasses } from "@/lib/shop/product-type";
import { AVAILABILITIES, shownStock } from "@/lib/stock/rules";
import { imagesOf } from "./product-images";
import type { ProductRow } from "./product-rows";
import type { CatalogueLabel } from "./rules";

const labelSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  color: z.string().describe("Couleur, #rrggbb"),
});

const labelJson = ({ id, name, color }: CatalogueLabel) => ({ id, name, color });

export const categoryResource = resource({
  name: "Category",
  path: "/api/categories",
  description: "Une catégorie de produits",
  schema: labelSchema,
  toJson: labelJson,
});

export const tagResource = resource({
  name: "Tag",
  path: "/api/tags",
  description: "Une étiquette de produits",
  schema: labelSchema,
  toJson: labelJson,
});

export const productResource = resource({
  name: "Product",
  path: "/api/products",
  description: "Un produit du catalogue, physique ou numérique",
  ...productClasses,
  schema: z.object({
    id: z.int().describe("Identifiant"),
    productType: z.enum(["physical", "digital"]).describe("Physique ou numérique"),
    name: z.string().describe("Nom"),
    description: z.string().describe("Description"),
    price: z.number().describe("Prix en euros, TVA comprise"),
    vatRate: z.number().describe("Taux de TVA en pour cent"),
    image: z.string().nullable().describe("Nom de fichier sous /images, chemin ou adresse http(s)"),
    images: z
      .array(
        z.object({
          url: z.string().describe("Comme `image`"),
          alt: z.string().describe("Ce que montre l'image ; vide si le nom suffit"),
        }),
      )
      .describe("Toutes les images, `image` en premier"),
    sku: z.string().nullable().describe("Référence de l'article (SKU)"),
    gtin: z.string().nullable().describe("Code-barres (GTIN)"),
    brand: z.string().nullable().describe("Marque"),
    status: z
      .enum(["active", "draft"])
      .describe("En vente, ou brouillon que seuls les administrateurs voient"),
    defaultCategory: labelSchema.describe("Catégorie par défaut"),
    categoryId: z.int().describe("Identifiant de la catégorie par défaut"),
    categories: z.array(labelSchema).describe("Catégories associées"),
    tags: z.array(labelSchema).describe("Étiquettes"),
    characteristics: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Caractéristiques d'un produit physique"),
    filesize: z.int().nullable().describe("Taille du fichier d'un produit numérique, en Ko"),
    filetype: z.string().nullable().describe("Type du fichier d'un produit numérique"),
    availability: z
      .enum(AVAILABILITIES)
      .describe(
        "En stock, presque épuisé, épuisé, ou sans compte (produits numériques, stock non suivi)",
      ),
    stock: z.int().nullable().describe("Exemplaires qui restent, s'il en reste peu ; null sinon"),
    avgRating: z.number().nullable().describe("Moyenne des avis validés, sur 5"),
    reviewsCount: z.int().describe("Nombre d'avis validés"),
    sales_count: z.int().describe("Nombre de pièces vendues"),
    createdAt: z.string().nullable().describe("Date de mise en vente, ISO 8601"),
  }),
  embedded: () => ({
    defaultCategory: categoryResource,
    categories: categoryResource,
    tags: tagResource,
  }),
  toJson: (row: ProductRow) => ({
    id: row.id,
    productType: row.type,
    name: row.name,
    description: row.description,
    price: eurosFromCents(row.priceCents),
    vatRate: row.vatRateBp / 100,
    image: row.image,
    images: imagesOf(row),
    sku: row.sku,
    gtin: row.gtin,
    brand: row.brand,
    status: row.status,
    defaultCategory: labelJson(row.defaultCategory),
    categoryId: row.defaultCategory.id,
    categories: row.categories.map(labelJson),
    tags: row.tags.map(labelJson),
    characteristics: row.characteristics
      ? Object.fromEntries(row.characteristics.map(({ name, value }) => [name, value]))
      : null,
    filesize: row.fileSizeKb,
    filetype: row.fileType,
    ...shownStock(row),
    avgRating: row.ratingCount > 0 ? row.ratingSum / row.ratingCount : null,
    reviewsCount: row.ratingCount,
    sales_count: row.salesCount,
    createdAt: row.createdAt,
  }),
});
