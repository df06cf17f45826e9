import { centsOfQuery } from "@/lib/money";
import { getPublic, membersOf, totalOf } from "@/lib/public-api";
import type { Facets } from "./facet-schemas";
import { characteristicFilters, tagFilters } from "./filters";
import {
  CATALOGUE_PAGE_SIZE,
  type CardProduct,
  type CatalogueLabel,
  cardOf,
  type ProductJson,
} from "./rules";
import type { CatalogueView } from "./schemas";
import type { Suggestions } from "./suggestion-schemas";
import { listsOfQuery, queryOfView, searchText } from "./url";

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
  const query = queryOfView(options.view);
  query.set("itemsPerPage", String(CATALOGUE_PAGE_SIZE));
  const response = await getPublic(`/api/products?${query}`, {
    accept: "application/ld+json",
    signal: options.signal,
  });
  const page = await response.json();
  return {
    products: membersOf<ProductJson>(page).map(cardOf),
    total: totalOf(page),
    hasNext: Boolean(page["hydra:view"]?.["hydra:next"]),
    approximate: response.headers.get("search-approximate") === "true",
  };
}

/** Reads the counts of the filters; throws on any failure. */
export async function fetchFacets(options: {
  view: CatalogueView;
  signal?: AbortSignal;
}): Promise<Facets> {
  const query = queryOfView({
    ...options.view,
    page: 1,
    priceSort: undefined,
    dateSort: undefined,
  });
  const response = await getPublic(`/api/product_facets?${query}`, { signal: options.signal });
  return response.json();
}

/** Reads the suggestions for a text; throws on any failure. */
export async function fetchSuggestions(options: {
  text: string;
  signal?: AbortSignal;
}): Promise<Suggestions> {
  const query = new URLSearchParams({ q: options.text });
  const response = await getPublic(`/api/suggestions?${query}`, { signal: options.signal });
  return response.json();
}

const BEST_SOLD = 4;

/** Reads four of the most sold products; throws on any failure. */
export async function fetchBestSold(options: { signal: AbortSignal }): Promise<CardProduct[]> {
  const response = await getPublic("/api/home", {
    accept: "application/json",
    signal: options.signal,
  });
  const { mostSoldProducts } = (await response.json()) as { mostSoldProducts: ProductJson[] };
  return mostSoldProducts.slice(0, BEST_SOLD).map(cardOf);
}

/** Reads all categories; throws on any failure. */
export async function fetchCategories(): Promise<CatalogueLabel[]> {
  const response = await getPublic("/api/categories", { accept: "application/json" });
  return response.json();
}

/**
 * The view of a URL, parsed as on the server (`parseView`). Invalid values are ignored here: the server has
 * refused them already.
 */
export function viewOfUrl(search: string): CatalogueView {
  const query = new URLSearchParams(search);
  const lastOf = (name: string) => query.getAll(name).at(-1)?.trim() ?? "";
  const idIn = (text: string, collection: string) =>
    positive(text.replace(`/api/${collection}/`, ""));
  const id = (name: string, collection: string) => idIn(lastOf(name), collection);
  const { tags, characteristics } = listsOfQuery(query);
  const price = (name: string) => centsOfQuery(lastOf(name)) ?? undefined;
  const oneOf = <T extends string>(name: string, ...values: T[]) =>
    values.find((value) => value === lastOf(name).toLowerCase());
  const date = oneOf("date_sort", "asc", "desc", "oldest", "newest");
  return {
    search: searchText(lastOf("search")) || undefined,
    categoryId: id("category", "categories"),
    ...tagFilters([...tags.map((tag) => idIn(tag, "tags")), id("tags.id", "tags")]),
    type: oneOf("type", "physical", "digital"),
    minPriceCents: price("min_price"),
    maxPriceCents: price("max_price"),
    minRating: rating(lastOf("min_rating")),
    availability: oneOf("availability", "in_stock"),
    characteristics: characteristicFilters(characteristics),
    priceSort: oneOf("price_sort", "asc", "desc"),
    dateSort: date && (date === "asc" || date === "oldest" ? "asc" : "desc"),
    page: pageNumber(lastOf("page")) ?? 1,
  };
}

const positive = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);

const rating = (text: string) => {
  const value = /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : 0;
  return value > 0 && value <= 5 ? value : undefined;
};

/** Accepts leading zeros, as `paging` does; ids accept none. */
const pageNumber = (text: string) => positive(text.replace(/^0+/, ""));
