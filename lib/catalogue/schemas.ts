import { z } from "zod";
import { paging } from "@/lib/http/api/paging";
import { queryChoice, queryId, queryPrice, querySearch } from "@/lib/http/api/query";
import type { ProductType } from "@/lib/shop/product-type";
import type { ProductStatus } from "./rules";

export type SortDirection = "asc" | "desc";

/** The filters of a list of products. */
export type ProductFilters = {
  search?: string | undefined;
  categoryId?: number | undefined;
  tagId?: number | undefined;
  type?: ProductType | undefined;
  /** In cents, inclusive. A minimum above the maximum gives an empty list. */
  minPriceCents?: number | undefined;
  maxPriceCents?: number | undefined;
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
  ...paging,
});

export function viewOfQuery(query: z.output<typeof productQuery>): CatalogueView {
  return {
    search: query.search || undefined,
    categoryId: query.category,
    tagId: query["tags.id"],
    type: query.type,
    minPriceCents: query.min_price,
    maxPriceCents: query.max_price,
    priceSort: query.price_sort,
    dateSort: query.date_sort,
    page: query.page,
  };
}
