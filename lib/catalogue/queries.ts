import { fail } from "@/lib/errors";
import type { Page, PageRequest } from "@/lib/http/api/paging";
import { cached, dependOn, renewSoon } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/per-process";
import { createSemaphore } from "@/lib/semaphore";
import { listCategories, listTags } from "./labels";
import { listedPage } from "./listings";
import { EMPTY_PAGE, type ProductRow } from "./product-rows";
import { CATALOGUE_PAGE_SIZE } from "./rules";
import {
  type CatalogueView,
  type ProductFilters,
  type ProductOrder,
  productQuery,
  viewOfQuery,
} from "./schemas";
import { searchedPage } from "./search/pages";
import { readSearchWords } from "./search/vocabulary";
import { approximateQuery, exactQuery } from "./search/words";
import { searchText } from "./url";
import { KEPT_SEARCH, sameWords } from "./view-path";

/**
 * Searches that query the database at a time. They are a matter of its processors: more of them would only
 * slow each other, and leave no connections to those who buy.
 */
const MAX_SEARCHES = 4;
/** Milliseconds that a search waits for its turn, as long as for a connection. */
const MAX_WAIT_MS = 5_000;

const turns = perProcess("searches", () => createSemaphore(MAX_SEARCHES));

export type ProductPage = Page<ProductRow> & {
  /** Nothing matched the text; these are within a typing error of it. */
  approximate: boolean;
};

/** One page of the products that match. @throws 503 where a search has waited too long for its turn */
export async function listProducts(
  request: ProductFilters & ProductOrder & PageRequest,
): Promise<ProductPage> {
  const { search } = request;
  if (!search) return { ...(await listedPage(request)), approximate: false };
  return turns.run(() => searchProducts({ ...request, search }), {
    atMost: MAX_WAIT_MS,
    error: () => fail.unavailable(),
  });
}

async function searchProducts(
  request: ProductFilters & ProductOrder & PageRequest & { search: string },
): Promise<ProductPage> {
  const words = await readSearchWords(request.search);
  const exact = exactQuery(words);
  const found = exact ? await searchedPage({ ...request, query: exact }) : EMPTY_PAGE;
  if (found.total > 0) return { ...found, approximate: false };
  const near = await approximateQuery(words);
  if (!near) return { ...EMPTY_PAGE, approximate: false };
  const similar = await searchedPage({ ...request, query: near });
  return { ...similar, approximate: similar.total > 0 };
}

/** The view that query parameters ask for, or null where they hold a value that cannot be. */
export function parseView(
  parameters: Record<string, string | string[] | undefined>,
): CatalogueView | null {
  const single = Object.entries(parameters).map(([name, value]) => [name, [value].flat().at(-1)]);
  const sent = single
    // As in the path of its stored page (view-path.ts).
    .map(([name, value = ""]) => [name, name === "search" ? searchText(value) : value])
    .filter(([, value]) => value !== "");
  const parsed = productQuery.safeParse(Object.fromEntries(sent));
  return parsed.success ? viewOfQuery(parsed.data) : null;
}

const LIST_TAGS = [CACHE_TAGS.catalogue, CACHE_TAGS.categories, CACHE_TAGS.tags];

const PAGE_SIZE = { itemsPerPage: CATALOGUE_PAGE_SIZE };

/**
 * What a view of the catalogue shows, or null where its category, tag or page does not exist. Where the
 * categories cannot be read, `categories` is null, unless the view needs them.
 */
export async function getCataloguePage(view: CatalogueView) {
  const needsCategories = view.categoryId !== undefined || view.search !== undefined;
  const [known, tags] = await Promise.all([
    needsCategories ? listCategories() : listCategories().catch(withoutCategories),
    listTags(),
  ]);
  const categories = known ?? [];
  const category = categories.find(({ id }) => id === view.categoryId) ?? null;
  const tag = tags.find(({ id }) => id === view.tagId) ?? null;
  const isUnknown = (view.categoryId && !category) || (view.tagId && !tag);
  if (isUnknown) return null;
  const page = !known
    ? {
        ...(await listedPage({ ...view, ...PAGE_SIZE, isUncategorized: true })),
        approximate: false,
      }
    : view.search
      ? await searchedView({ ...view, search: sameWords(view.search) })
      : await listProducts({ ...view, ...PAGE_SIZE });
  if (known && !view.search) await dependOn([...LIST_TAGS, ...stockTags(page.items)]);
  if (view.page > 1 && page.items.length === 0) return null;
  return { categories: known, category, tag, page };
}

/** A page of a search, kept for all that are spelt alike, until any product is more or less available. */
const searchedView = (view: CatalogueView) =>
  cached({
    ...KEPT_SEARCH,
    key: ["catalogue-page", JSON.stringify(view)],
    run: () => listProducts({ ...view, ...PAGE_SIZE }),
  });

/** What a page depends on that says how many pieces of these products are left. */
export const stockTags = (products: readonly ProductRow[]) =>
  products.filter(({ stock }) => stock !== null).map(({ id }) => CACHE_TAGS.stock(id));

async function withoutCategories(error: unknown) {
  log.error({ err: error }, "categories cannot be read");
  await renewSoon();
  return null;
}
