"use client";

import { useSearchParams } from "next/navigation";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { ActiveFilters } from "@/components/catalogue/active-filters";
import { CatalogueFilters } from "@/components/catalogue/catalogue-filters";
import { CatalogueResults } from "@/components/catalogue/catalogue-results";
import { SEARCH_DELAY_MS, useCatalogue } from "@/components/catalogue/use-catalogue";
import { useFacets } from "@/components/catalogue/use-facets";
import { useHead } from "@/components/catalogue/use-head";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Pagination } from "@/components/ui/pagination";
import { RetryAlert } from "@/components/ui/retry-alert";
import { activeFilters } from "@/lib/catalogue/active-filters";
import { fetchCategories, type LoadedPage } from "@/lib/catalogue/client";
import type { Facets } from "@/lib/catalogue/facet-schemas";
import { CATALOGUE_PAGE_SIZE, type CatalogueLabel } from "@/lib/catalogue/rules";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";

type CatalogueProps = {
  /** Null if the server could not read the categories. */
  categories: readonly CatalogueLabel[] | null;
  /** The tags that the list is restricted to. */
  tags: readonly CatalogueLabel[];
  /** Null if the server has not counted them in time. */
  facets: Facets | null;
  /** Some category offers characteristics as filters. */
  hasCharacteristics: boolean;
  view: CatalogueView;
  page: LoadedPage;
};

/**
 * The catalogue. The server's HTML is complete and its filters are a plain GET form; with JavaScript the
 * filters take effect without a reload.
 */
export function Catalogue(initial: CatalogueProps) {
  const { view, texts, requested, shown, status, changes, ...list } = useCatalogue({
    view: initial.view,
    page: initial.page,
  });
  const { isCurrent, products } = list;
  const facets = useFacets({ view, initial });
  /** Fetched by the browser if the server could not read the categories. */
  const [fetchedCategories, setFetchedCategories] = useState<CatalogueLabel[] | null>(null);
  const categories = initial.categories ?? fetchedCategories ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  const category = categories.find(({ id }) => id === requested.categoryId);
  const tags = [...initial.tags, ...(facets.facets?.tags ?? [])];
  const tag = tags.find(({ id }) => id === requested.tagId);
  const { search, page } = view;
  useHead({ category: category?.name, tag: tag?.name, type: requested.type, search, page });
  // Filters that are still being typed are left out.
  const active = activeFilters(view, { tags });

  // While another page of the same list is loading, the shown page keeps its numbers.
  const isSameList = urlOfView({ ...requested, page: shown.view.page }) === urlOfView(shown.view);
  const { total, hasNext, approximate } = shown.page;
  // The server's total is right as long as the filters exclude none of the products shown.
  const isWhole = isSameList && products.length === shown.page.products.length;
  const isFiltered = urlOfView({ ...requested, page: 1 }) !== "/products";
  const isWaiting = status === "loading" || (!isCurrent && status === "ready");
  const shownTotal = isWhole ? total : products.length;

  /** To be called after the use of a control that then disappears. */
  const focusHeading = () => heading.current?.focus({ preventScroll: true });

  // The next list may be a page of its own at the same path: this heading is removed, and the focus is lost.
  useEffect(() => {
    const main = heading.current?.closest("main");
    return () => {
      if (document.activeElement === document.body) main?.focus({ preventScroll: true });
    };
  }, []);

  function showPage(number: number) {
    changes.commit({ ...requested, page: number });
    focusHeading();
    heading.current?.scrollIntoView();
  }

  return (
    <>
      <Suspense>
        <QueryWatcher onChange={changes.syncWithUrl} />
      </Suspense>
      <CatalogueCrumbs category={category} />
      <h1 ref={heading} tabIndex={-1} className="max-md:text-heading text-title outline-none">
        {category ? `Nos produits - ${category.name}` : "Nos produits"}
      </h1>
      {!initial.categories && !fetchedCategories && (
        <RetryAlert
          className="mt-6"
          message="Erreur lors du chargement des catégories."
          onRetry={async () => setFetchedCategories(await fetchCategories().catch(() => null))}
        />
      )}
      <CatalogueFilters
        categories={categories}
        {...facets}
        hasCharacteristics={initial.hasCharacteristics}
        view={requested}
        texts={texts}
        searchDelay={list.isSearchWaiting ? SEARCH_DELAY_MS : 0}
        filterCount={active.length}
        total={isWaiting || status === "failed" ? null : shownTotal}
        onChange={changes.change}
        onText={changes.changeText}
        onCommit={changes.commitTyped}
      />
      {status === "failed" && (
        <RetryAlert
          className="mt-6"
          message={
            isFiltered
              ? "Erreur lors du filtrage des produits."
              : "Erreur lors du chargement des produits."
          }
          onRetry={changes.retry}
        />
      )}
      <CatalogueResults
        products={products}
        page={isSameList ? shown.view.page : requested.page}
        total={shownTotal}
        isWaiting={isWaiting}
        hasFailed={status === "failed"}
        approximated={approximate && isCurrent ? shown.view.search : undefined}
        isFiltered={urlOfView(requested) !== "/products"}
        search={requested.search}
        chips={
          <ActiveFilters
            view={requested}
            filters={active}
            onChange={(next) => {
              changes.change(next);
              focusHeading();
            }}
          />
        }
        onShowAll={focusHeading}
      />
      {isSameList && (
        <Pagination
          page={shown.view.page}
          pageCount={Math.max(
            Math.ceil(total / CATALOGUE_PAGE_SIZE),
            hasNext ? shown.view.page + 1 : 1,
          )}
          href={(number) => urlOfView({ ...shown.view, page: number })}
          onSelect={showPage}
          className="mt-12"
        />
      )}
    </>
  );
}

/** On a phone the heading says the same. */
function CatalogueCrumbs({ category }: { category: CatalogueLabel | undefined }) {
  return (
    <div className="mb-4 max-md:hidden">
      <Breadcrumb
        items={[
          category ? { label: "Produits", href: "/products" } : { label: "Produits" },
          ...(category ? [{ label: category.name }] : []),
        ]}
      />
    </div>
  );
}

/** Calls back when a link has changed the query. A component, since useSearchParams suspends. */
function QueryWatcher({ onChange }: { onChange: (query: string) => void }) {
  const query = useSearchParams().toString();
  const onQuery = useEffectEvent(onChange);
  useEffect(() => onQuery(query), [query]);
  return null;
}
