import { membersOf, totalOf } from "@/lib/api-client";
import { centsOfQuery } from "@/lib/money";
import { parametersOfView } from "./address";
import { type CardProduct, cardOf, type ProductJson } from "./rules";
import type { CatalogueView } from "./schemas";

/** A page of the catalogue as the browser keeps it. */
export type LoadedPage = {
  products: CardProduct[];
  total: number;
  hasNext: boolean;
  /** Nothing matched the text; these are within a typing error of it. */
  approximate: boolean;
};

export const PAGE_SIZE = 24;

/** Reads a page of products; throws on any failure but an abort by `signal`, which rejects too. */
export async function fetchProducts(options: {
  view: CatalogueView;
  signal?: AbortSignal;
}): Promise<LoadedPage> {
  const query = new URLSearchParams({
    ...parametersOfView(options.view),
    itemsPerPage: String(PAGE_SIZE),
  });
  const response = await fetch(`/api/products?${query}`, {
    headers: { Accept: "application/ld+json" },
    signal: options.signal,
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

/**
 * The view that an address shows, read as the server reads it (`parseView`). What cannot be read is
 * passed over: the server has said so.
 */
export function viewOfAddress(search: string): CatalogueView {
  const query = new URLSearchParams(search);
  const lastOf = (name: string) => query.getAll(name).at(-1)?.trim() ?? "";
  const id = (name: string, collection: string) =>
    positive(lastOf(name).replace(`/api/${collection}/`, ""));
  const price = (name: string) => centsOfQuery(lastOf(name)) ?? undefined;
  const oneOf = <T extends string>(name: string, ...values: T[]) =>
    values.find((value) => value === lastOf(name));
  const date = oneOf("date_sort", "asc", "desc", "oldest", "newest");
  return {
    search: lastOf("search") || undefined,
    categoryId: id("category", "categories"),
    tagId: id("tags.id", "tags"),
    type: oneOf("type", "physical", "digital"),
    minPriceCents: price("min_price"),
    maxPriceCents: price("max_price"),
    priceSort: oneOf("price_sort", "asc", "desc"),
    dateSort: date && (date === "asc" || date === "oldest" ? "asc" : "desc"),
    page: positive(lastOf("page")) ?? 1,
  };
}

const positive = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);
