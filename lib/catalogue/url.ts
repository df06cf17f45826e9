import type { CatalogueView } from "./schemas";

/**
 * The filters in the catalogue page's URL, in the order of a cached view's path: the same filters in
 * another order are the same view.
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

/** The request header with the path of the view: see view-header.ts. */
export const VIEW_HEADER = "x-shop-catalogue-view";

/**
 * Maps `/products?type=digital&category=3` to `…/products/category/3/type/digital`, whose page is
 * cached; a page that reads its query is rendered for every request. The page validates the values. A
 * text search goes to a rendered page, and so does everything where the header is not set (a host that
 * runs the shop without its own HTTP server).
 *
 * Two rules, since each costs every page some microseconds, and each that applies a tenth of what a
 * cached page costs.
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

/** The pairs of a cached view's path, `["category", "3", "page", "2"]`, as query parameters. */
export function parametersOfPath(path: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < path.length; i += 2) {
    parameters[path[i] ?? ""] = decoded(path[i + 1] ?? "");
  }
  return parameters;
}

/** A malformed segment stays as it is, and is refused by the page. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A value as a path segment. "." and ".." would be resolved; "dots" is refused just the same. */
export const segmentOf = (value: string) =>
  value === "." || value === ".." ? "dots" : encodeURIComponent(value);

const euros = (cents: number | undefined) =>
  cents === undefined ? undefined : String(cents / 100);

/** The view's parameters in a URL and in `GET /api/products`. */
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

/** `/products?…` of a view, always in the same order, so that it is also its canonical URL. */
export function urlOfView(view: CatalogueView): string {
  const query = new URLSearchParams(parametersOfView(view)).toString();
  return query ? `/products?${query}` : "/products";
}
