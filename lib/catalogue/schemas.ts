import { z } from "zod";
import { paging } from "@/lib/http/api/paging";
import { queryChoice, queryId, queryNumber, queryPrice, querySearch } from "@/lib/http/api/query";
import type { ProductType } from "@/lib/shop/product-type";
import { characteristicFilters, tagFilters } from "./filters";
import type { ProductStatus } from "./rules";

export type SortDirection = "asc" | "desc";

/** Products whose characteristic `name` has one of the values. */
export type CharacteristicFilter = { name: string; values: readonly string[] };

/** The filters of a list of products, which must all hold. */
export type ProductFilters = {
  search?: string | undefined;
  categoryId?: number | undefined;
  tagId?: number | undefined;
  /** Products with one of at least two tags; `tagId` is then undefined. */
  tagIds?: readonly number[] | undefined;
  type?: ProductType | undefined;
  /** In cents, inclusive. A minimum above the maximum gives an empty list. */
  minPriceCents?: number | undefined;
  maxPriceCents?: number | undefined;
  /** At least this average rating. */
  minRating?: number | undefined;
  /** Products that are not sold out, or whose pieces are not counted. */
  availability?: "in_stock" | undefined;
  characteristics?: readonly CharacteristicFilter[] | undefined;
  /** Without it only products on sale: what the public reads never names it. */
  status?: ProductStatus | "any" | undefined;
};

/** The sort of a list: by price, then by date; without either, by relevance or id. */
export type ProductOrder = {
  priceSort?: SortDirection | undefined;
  /** `asc` is oldest first. */
  dateSort?: SortDirection | undefined;
};

/** The filters, sort and page of the catalogue page. */
export type CatalogueView = ProductFilters & ProductOrder & { page: number };

/** Most tags, and most characteristics, of one request; and most values of one characteristic. */
const MAX_VALUES = 20;
const MAX_CHARACTERISTICS = 10;

const TOO_MANY = { error: `${MAX_VALUES} valeurs au plus.` };

/** The query of `GET /api/products` and of the catalogue page. */
export const productQuery = z.object({
  search: querySearch({ description: "Texte recherché, en français" })
    .meta({ property: "name" })
    .optional(),
  type: queryChoice(["physical", "digital"], {
    description: "Produits physiques ou numériques",
  }).optional(),
  min_price: queryPrice({ description: "Prix minimal en euros" })
    .meta({ property: "price" })
    .optional(),
  max_price: queryPrice({ description: "Prix maximal en euros" })
    .meta({ property: "price" })
    .optional(),
  price_sort: queryChoice(["asc", "desc"], { description: "Tri par prix" })
    .meta({ property: "price" })
    .optional(),
  date_sort: queryChoice(
    { newest: "desc", oldest: "asc", desc: "desc", asc: "asc" },
    { description: "Tri par date : newest (récents d'abord) ou oldest" },
  )
    .meta({ property: "createdAt" })
    .optional(),
  category: queryId("categories", { description: "Catégorie, par défaut ou associée" })
    .meta({ property: "categories" })
    .optional(),
  "tags.id": queryId("tags", { description: "Étiquette" }).meta({ property: "tags" }).optional(),
  tags: z
    .array(queryId("tags", { description: "Étiquette" }))
    .max(MAX_VALUES, TOO_MANY)
    .meta({
      property: "tags",
      type: "array",
      items: { type: "string" },
      description: "Étiquettes : les produits qui ont au moins l'une d'elles",
    })
    .optional(),
  min_rating: queryNumber({ min: 0, max: 5, description: "Note moyenne minimale" })
    .meta({ property: "avgRating" })
    .optional(),
  availability: queryChoice(["in_stock"], {
    description: "in_stock : les produits qui ne sont pas épuisés",
  })
    .meta({ property: "availability" })
    .optional(),
  characteristics: z
    .record(z.string().max(200), z.array(z.string().max(1000)).max(MAX_VALUES, TOO_MANY))
    .refine((lists) => Object.keys(lists).length <= MAX_CHARACTERISTICS, {
      error: `${MAX_CHARACTERISTICS} caractéristiques au plus.`,
    })
    .meta({
      description:
        "characteristics[Nom][]=valeur : les produits dont la caractéristique a l'une des valeurs",
    })
    .optional(),
  ...paging,
});

/** The filters alone, for `GET /api/product_facets`: sorts and pages change no count. */
export const facetsQuery = productQuery.omit({
  price_sort: true,
  date_sort: true,
  page: true,
  itemsPerPage: true,
});

/** The filters of a query. `tags.id` and `tags[]` are one group: products with any of these tags. */
export function filtersOfQuery(query: z.output<typeof facetsQuery>): ProductFilters {
  return {
    search: query.search || undefined,
    categoryId: query.category,
    ...tagFilters([...(query.tags ?? []), query["tags.id"]]),
    type: query.type,
    minPriceCents: query.min_price,
    maxPriceCents: query.max_price,
    minRating: query.min_rating || undefined,
    availability: query.availability,
    characteristics: characteristicFilters(Object.entries(query.characteristics ?? {})),
  };
}

export const viewOfQuery = (query: z.output<typeof productQuery>): CatalogueView => ({
  ...filtersOfQuery(query),
  priceSort: query.price_sort,
  dateSort: query.date_sort,
  page: query.page,
});
