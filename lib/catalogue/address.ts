import type { CatalogueView } from "./schemas";

/**
 * The filters that the catalogue page keeps in its address, in the order in which they stand in a
 * cached view's path: the same filters in another order are the same view.
 */
export const VIEW_PARAMETERS = [
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

/**
 * Maps `/products?type=digital&category=3` to the path `…/products/category/3/type/digital`, whose
 * page is cached; a page that reads its query would be rendered for every request. Each rule moves
 * one parameter into the path (Next.js goes through all of them), an empty one is passed over, and
 * what the values may be is the page's business. Only a text search is not cached.
 */
export function catalogueRewrites(prefix: string) {
  const cachedView = `${prefix}/products`;
  return [
    {
      source: "/products",
      has: [{ type: "query" as const, key: "search", value: "(?<search>.*\\S.*)" }],
      destination: `${prefix}/search`,
    },
    { source: "/products", destination: cachedView },
    ...VIEW_PARAMETERS.map((parameter) => ({
      source: `${cachedView}/:view*`,
      has: [{ type: "query" as const, key: parameter, value: "(?<value>.+)" }],
      destination: `${cachedView}/:view*/${parameter}/:value`,
    })),
  ];
}

/** The pairs of a cached view's path, `["category", "3", "page", "2"]`, as query parameters. */
export function parametersOfPath(path: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < path.length; i += 2) {
    parameters[path[i] ?? ""] = decodeURIComponent(path[i + 1] ?? "");
  }
  return parameters;
}

const euros = (cents: number | undefined) =>
  cents === undefined ? undefined : String(cents / 100);

/** The view's parameters as they stand in an address and in `GET /api/products`. */
export function parametersOfView(
  view: CatalogueView,
): Partial<Record<ViewParameter | "search", string>> {
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

/** `/products?…` of a view, always in the same order, so that it is also its canonical address. */
export function addressOfView(view: CatalogueView): string {
  const query = new URLSearchParams(parametersOfView(view)).toString();
  return query ? `/products?${query}` : "/products";
}
