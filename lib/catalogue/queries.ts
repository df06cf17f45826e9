import type { Page, PageRequest } from "@/lib/http/api/paging";
import { cached, dependOn, renewSoon } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { log } from "@/lib/http/server/log";
import type { Facets } from "./facet-schemas";
import { getFacets } from "./facets";
import { filteredPage } from "./filtered-pages";
import { hasFurtherFilters, tagsOf } from "./filters";
import { listFilterCategories, listTags } from "./labels";
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
import { approximateQuery, readQuery } from "./search/words";
import { inTurn } from "./turns";
import { FURTHER_PARAMETERS, listsOfQuery, searchText, VIEW_PARAMETERS } from "./url";
import { KEPT_SEARCH, sameWords } from "./view-path";

export type ProductPage = Page<ProductRow> & {
  /** No product matches the text exactly: these products match it within typing errors. */
  approximate: boolean;
};

/** One page of the matching products. @throws 503 where a search has waited too long for its turn */
export async function listProducts(
  request: ProductFilters & ProductOrder & PageRequest,
): Promise<ProductPage> {
  const { search } = request;
  if (!search && !hasFurtherFilters(request))
    return { ...(await listedPage(request)), approximate: false };
  return inTurn(async () =>
    search
      ? searchProducts({ ...request, search })
      : { ...(await filteredPage(request)), approximate: false },
  );
}

async function searchProducts(
  request: ProductFilters & ProductOrder & PageRequest & { search: string },
): Promise<ProductPage> {
  const { words, exact } = await readQuery(request.search);
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
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => [name, text] as const),
  );
  const { tags, characteristics } = listsOfQuery(pairs);
  const single = [...VIEW_PARAMETERS, ...FURTHER_PARAMETERS].map(
    (name) => [name, [parameters[name]].flat().at(-1)] as const,
  );
  const sent = single
    // Normalised as in the path of the view's stored page (view-path.ts).
    .map(([name, value = ""]) => [name, name === "search" ? searchText(value) : value])
    .filter(([, value]) => value !== "");
  const parsed = productQuery.safeParse({
    ...Object.fromEntries(sent),
    ...(tags.length > 0 && { tags }),
    characteristics: Object.fromEntries(characteristics),
  });
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
  const [known, allTags] = await Promise.all([
    needsCategories ? listFilterCategories() : listFilterCategories().catch(withoutCategories),
    listTags(),
  ]);
  const categories = known ?? [];
  const category = categories.find(({ id }) => id === view.categoryId) ?? null;
  const tagIds = tagsOf(view);
  const tags = allTags.filter(({ id }) => tagIds.includes(id));
  if ((view.categoryId && !category) || tags.length < tagIds.length) return null;
  // Counted while the page is read.
  const counting = known ? facetsInTime(view) : null;
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
  return {
    categories: known?.map(({ id, name, color }) => ({ id, name, color })) ?? null,
    category,
    tags,
    facets: await counting,
    hasCharacteristics: categories.some(({ filters }) => filters.length > 0),
    page,
  };
}

/** Milliseconds that a page waits for the counts of its filters; the browser reads them otherwise. */
const FACETS_MS = 250;

/** The counts for a page; null if they take long or fail. */
async function facetsInTime(view: CatalogueView): Promise<Facets | null> {
  const counted = getFacets({ ...view, search: view.search && sameWords(view.search) }).catch(
    (error: unknown) => {
      log.warn({ err: error }, "filters cannot be counted");
      return null;
    },
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, FACETS_MS, null);
  });
  const facets = await Promise.race([counted, late]);
  clearTimeout(timer);
  return facets;
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
