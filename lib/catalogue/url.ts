import type { CatalogueView } from "./schemas";

/**
 * The filters in the catalogue page's URL, in the order of a cached view's path: the same filters in
 * any order give the same view.
 */
export const VIEW_PARAMETERS = [
  "search",
  "category",
  "tags.id",
  "type",
  "min_price",
  "max_price",
  "price_sort",
  "date_sort",
  "page",
] as const;

export type ViewParameter = (typeof VIEW_PARAMETERS)[number];

/** A search text as it is shown: different white space does not make a different text. */
export const searchText = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();

const euros = (cents: number | undefined) =>
  cents === undefined ? undefined : String(cents / 100);

/** The view's parameters in a URL and in `GET /api/products`. */
export function parametersOfView(view: CatalogueView): Partial<Record<ViewParameter, string>> {
  const parameters = {
    search: view.search || undefined,
    category: view.categoryId?.toString(),
    "tags.id": view.tagId?.toString(),
    type: view.type,
    min_price: euros(view.minPriceCents),
    max_price: euros(view.maxPriceCents),
    price_sort: view.priceSort,
    date_sort: view.dateSort && (view.dateSort === "asc" ? "oldest" : "newest"),
    page: view.page > 1 ? String(view.page) : undefined,
  };
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

/** The URL `/products?…` of a view. The parameters have a fixed order, so it is also the canonical URL. */
export function urlOfView(view: CatalogueView): string {
  const query = new URLSearchParams(parametersOfView(view)).toString();
  return query ? `/products?${query}` : "/products";
}
