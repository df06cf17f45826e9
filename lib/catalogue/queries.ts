import { fail } from "@/lib/errors/failure";
import type { Page, PageRequest } from "@/lib/http/api/paging";
import { cached, dependOn, renewSoon } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";
import { createSemaphore } from "@/lib/runtime/semaphore";
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
import { findReference, readSearchWords } from "./search/vocabulary";
import { approximateQuery, exactQuery, orReference } from "./search/words";
import { searchText } from "./url";
import { KEPT_SEARCH, sameWords } from "./view-path";

/**
 * Most searches that query the database at a time. Searches are bound by the database's processors: more of
 * them would only slow each other down, and leave no connections to buyers.
 */
const MAX_SEARCHES = 4;
/** Milliseconds that a search waits for its turn: the same as for a connection. */
const MAX_WAIT_MS = 5_000;

const turns = perProcess("searches", () => createSemaphore(MAX_SEARCHES));

export type ProductPage = Page<ProductRow> & {
  /** No product matches the text exactly: these products match it within typing errors. */
  approximate: boolean;
};

/** One page of the matching products. @throws 503 where a search has waited too long for its turn */
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
  const [words, reference] = await Promise.all([
    readSearchWords(request.search),
    findReference(request.search),
  ]);
  const exact = orReference(exactQuery(words), reference);
  const found = exact ? await searchedPage({ ...request, query: exact }) : EMPTY_PAGE;
  if (found.total > 0) return { ...found, approximate: false };
  const near = await approximateQuery(words);
  if (!near) return { ...EMPTY_PAGE, approximate: false };
  const similar = await searchedPage({ ...request, query: near });
  return { ...similar, approximate: similar.total > 0 };
}

/** The view for these query parameters; null where one of them has an invalid value. */
export function parseView(
  parameters: Record<string, string | string[] | undefined>,
): CatalogueView | null {
  const single = Object.entries(parameters).map(([name, value]) => [name, [value].flat().at(-1)]);
  const sent = single
    // Normalised as in the path of the view's stored page (view-path.ts).
    .map(([name, value = ""]) => [name, name === "search" ? searchText(value) : value])
    .filter(([, value]) => value !== "");
  const parsed = productQuery.safeParse(Object.fromEntries(sent));
  return parsed.success ? viewOfQuery(parsed.data) : null;
}

const LIST_TAGS = [CACHE_TAGS.catalogue, CACHE_TAGS.categories, CACHE_TAGS.tags];

const PAGE_SIZE = { itemsPerPage: CATALOGUE_PAGE_SIZE };

/**
 * The content of a view of the catalogue; null where its category, tag or page does not exist. Where
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

/**
 * A page of a search, cached for all spellings of the text, until the availability of any product changes.
 */
const searchedView = (view: CatalogueView) =>
  cached({
    ...KEPT_SEARCH,
    key: ["catalogue-page", JSON.stringify(view)],
    run: () => listProducts({ ...view, ...PAGE_SIZE }),
  });

/** The cache tags of a page that shows the stock of these products. */
export const stockTags = (products: readonly ProductRow[]) =>
  products.filter(({ stock }) => stock !== null).map(({ id }) => CACHE_TAGS.stock(id));

async function withoutCategories(error: unknown) {
  log.error({ err: error }, "categories cannot be read");
  await renewSoon();
  return null;
}
