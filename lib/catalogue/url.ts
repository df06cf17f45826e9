import type { CatalogueView } from "./schemas";

/** The parameters of one value. */
export type ViewParameter = (typeof VIEW_PARAMETERS)[number];

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

/**
 * Further filters of one value. Pages with them, with lists of values or with a search are rendered for each request:
 * their combinations are too many to store.
 */
export const FURTHER_PARAMETERS = ["min_rating", "availability"] as const;

const RENDERED_PARAMETERS: readonly string[] = ["search", ...FURTHER_PARAMETERS];

const LIST_PARAMETER = /^(?:tags(?:\[\d*\])?|characteristics\[.+\])$/s;

/** Is the page of this query rendered for each request instead of stored? */
export function isRenderedPerRequest(query: URLSearchParams): boolean {
  return [...query].some(
    ([name, value]) =>
      searchText(value) !== "" && (RENDERED_PARAMETERS.includes(name) || LIST_PARAMETER.test(name)),
  );
}

/** The values of the parameters that may be sent several times: tags, and characteristics by name. */
export function listsOfQuery(query: Iterable<readonly [name: string, value: string]>) {
  const tags: string[] = [];
  const characteristics = new Map<string, string[]>();
  for (const [key, value] of query) {
    if (value === "" || !LIST_PARAMETER.test(key)) continue;
    if (key.startsWith("tags")) {
      tags.push(value);
      continue;
    }
    const name = key.slice("characteristics[".length).replace(/\](?:\[\d*\])?$/, "");
    characteristics.set(name, [...(characteristics.get(name) ?? []), value]);
  }
  return { tags, characteristics };
}

/** A search text as it is shown: different white space does not make a different text. */
export const searchText = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();

const euros = (cents: number | undefined) =>
  cents === undefined ? undefined : String(cents / 100);

/** The view's parameters of one value, in a URL and in `GET /api/products`. */
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

/** All of a view's parameters, in a fixed order. */
export function queryOfView(view: CatalogueView): URLSearchParams {
  const { page, ...parameters } = parametersOfView(view);
  const query = new URLSearchParams(parameters);
  for (const id of view.tagIds ?? []) query.append("tags[]", String(id));
  if (view.minRating !== undefined) query.append("min_rating", String(view.minRating));
  if (view.availability) query.append("availability", view.availability);
  for (const { name, values } of view.characteristics ?? [])
    for (const value of values) query.append(`characteristics[${name}][]`, value);
  if (page !== undefined) query.append("page", page);
  return query;
}

/** The URL `/products?…` of a view. The parameters have a fixed order, so it is also the canonical URL. */
export function urlOfView(view: CatalogueView): string {
  const query = queryOfView(view).toString();
  return query ? `/products?${query}` : "/products";
}

/** The URL of a search in the whole catalogue. */
export const searchUrl = (text: string) => urlOfView({ search: text, page: 1 });
