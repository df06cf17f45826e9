import { membersOf, timeoutSignal, totalOf } from "@/lib/api-list";
import { centsOfQuery } from "@/lib/money";
import {
  CATALOGUE_PAGE_SIZE,
  type CardProduct,
  type CatalogueLabel,
  cardOf,
  type ProductJson,
} from "./rules";
import type { CatalogueView } from "./schemas";
import { parametersOfView, searchText } from "./url";

/** A page of the catalogue in the browser's cache. */
export type LoadedPage = {
  products: CardProduct[];
  total: number;
  hasNext: boolean;
  /** No product matches the text exactly: these products match it within typing errors. */
  approximate: boolean;
};

/** Reads a page of products; throws on any failure, including an abort by `signal`. */
export async function fetchProducts(options: {
  view: CatalogueView;
  signal?: AbortSignal;
}): Promise<LoadedPage> {
  const query = new URLSearchParams({
    ...parametersOfView(options.view),
    itemsPerPage: String(CATALOGUE_PAGE_SIZE),
  });
  const response = await fetch(`/api/products?${query}`, {
    headers: { Accept: "application/ld+json" },
    signal: timeoutSignal(options.signal),
  });
  if (!response.ok) throw new Error(`GET /api/products: ${response.status}`);
  const page = await response.json();
  return {
    products: membersOf<ProductJson>(page).map(cardOf),
    total: totalOf(page),
    hasNext: Boolean(page["hydra:view"]?.["hydra:next"]),
    approximate: response.headers.get("search-approximate") === "true",
  };
}

/** Reads all categories; throws on any failure. */
export async function fetchCategories(): Promise<CatalogueLabel[]> {
  const response = await fetch("/api/categories", {
    headers: { Accept: "application/json" },
    signal: timeoutSignal(),
  });
  if (!response.ok) throw new Error(`GET /api/categories: ${response.status}`);
  return response.json();
}

/**
 * The view of a URL, parsed as on the server (`parseView`). Invalid values are ignored here: the server has
 * refused them already.
 */
export function viewOfUrl(search: string): CatalogueView {
  const query = new URLSearchParams(search);
  const lastOf = (name: string) => query.getAll(name).at(-1)?.trim() ?? "";
  const id = (name: string, collection: string) =>
    positive(lastOf(name).replace(`/api/${collection}/`, ""));
  const price = (name: string) => centsOfQuery(lastOf(name)) ?? undefined;
  const oneOf = <T extends string>(name: string, ...values: T[]) =>
    values.find((value) => value === lastOf(name).toLowerCase());
  const date = oneOf("date_sort", "asc", "desc", "oldest", "newest");
  return {
    search: searchText(lastOf("search")) || undefined,
    categoryId: id("category", "categories"),
    tagId: id("tags.id", "tags"),
    type: oneOf("type", "physical", "digital"),
    minPriceCents: price("min_price"),
    maxPriceCents: price("max_price"),
    priceSort: oneOf("price_sort", "asc", "desc"),
    dateSort: date && (date === "asc" || date === "oldest" ? "asc" : "desc"),
    page: pageNumber(lastOf("page")) ?? 1,
  };
}

const positive = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);

/** Accepts leading zeros, as `paging` does; ids accept none. */
const pageNumber = (text: string) => positive(text.replace(/^0+/, ""));
