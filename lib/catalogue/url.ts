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

/** The request header with the path of the view: see view-path.ts. */
export const VIEW_HEADER = "x-shop-catalogue-view";

/**
 * Maps `/products?type=digital&category=3` to `…/products/category/3/type/digital`, whose page is cached: a
 * page that reads its query is rendered for every request. The page validates the values. Where the header is
 * not set, the view is rendered for each request: text searches, and all views on a host that runs the shop
 * without its own HTTP server.
 *
 * There are only two rules: each rule costs every page some microseconds, and a rule that applies costs a
 * tenth of a cached page.
 */
export function catalogueRewrites(prefix: string) {
  return [
    {
      source: "/products",
      has: [{ type: "header" as const, key: VIEW_HEADER, value: "(?<noted>.+)" }],
      destination: `${prefix}/products/:noted*`,
    },
    { source: "/products", destination: `${prefix}/search` },
  ];
}

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
