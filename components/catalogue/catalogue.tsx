"use client";

import { useSearchParams } from "next/navigation";
import {
  type FormEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { CatalogueFilters, type FilterTexts } from "@/components/catalogue/catalogue-filters";
import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Pagination } from "@/components/ui/pagination";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { trackEvent, trackQueryView } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { fetchCategories, fetchProducts, type LoadedPage, viewOfUrl } from "@/lib/catalogue/client";
import { CATALOGUE_PAGE_SIZE, type CatalogueLabel, refilter } from "@/lib/catalogue/rules";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";
import { centsOfQuery } from "@/lib/money";
import { catalogueTexts, headTexts } from "@/lib/seo/head";

const SEARCH_DELAY_MS = 3000;
const PRICE_DELAY_MS = 500;
/** Pages of this visit that the back button shows without waiting. */
const PAGE_CACHE_SIZE = 30;

type CatalogueProps = {
  /** Null where they could not be read. */
  categories: readonly CatalogueLabel[] | null;
  /** The tag that the list is restricted to. */
  tag: CatalogueLabel | null;
  view: CatalogueView;
  page: LoadedPage;
};

const pageCache = new Map<string, LoadedPage>();

let isFirstDocument = true;

/**
 * Whether a search has just loaded this page, by the header's form or a link. Not after a reload, the
 * back button or a client-side navigation.
 */
function isNewSearch({ search, page }: CatalogueView): boolean {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isNew = isFirstDocument && loading?.type === "navigate";
  isFirstDocument = false;
  return isNew && Boolean(search) && page === 1 && loading?.name === window.location.href;
}

function cachePage(view: CatalogueView, page: LoadedPage): void {
  const [oldest] = pageCache.keys();
  if (pageCache.size >= PAGE_CACHE_SIZE && oldest !== undefined) pageCache.delete(oldest);
  pageCache.set(urlOfView(view), page);
}

const textsOf = (view: CatalogueView): FilterTexts => ({
  search: view.search ?? "",
  min: view.minPriceCents === undefined ? "" : String(view.minPriceCents / 100),
  max: view.maxPriceCents === undefined ? "" : String(view.maxPriceCents / 100),
});

/**
 * The catalogue. The server's HTML is complete and its filters are a plain GET form; here they take
 * effect without a reload: at once on the products that are loaded, then with the server's answer.
 */
export function Catalogue({ tag, ...initial }: CatalogueProps) {
  /** The requested view; `shown` is the last one that the server has answered. */
  const [view, setView] = useState(initial.view);
  const [texts, setTexts] = useState(() => textsOf(initial.view));
  const [shown, setShown] = useState({ view: initial.view, page: initial.page });
  const [status, setStatus] = useState<"ready" | "loading" | "failed">("ready");
  /** Where the server could not read them. */
  const [fetchedCategories, setFetchedCategories] = useState<CatalogueLabel[] | null>(null);
  const categories = initial.categories ?? fetchedCategories ?? [];
  const request = useRef<AbortController>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);

  const trackLoading = useEffectEvent(() => {
    trackQueryView();
    if (isNewSearch(initial.view)) trackEvent({ ...EVENTS.search, name: initial.view.search });
  });
  useEffect(() => trackLoading(), []);

  const requested: CatalogueView = {
    ...view,
    ...filtersOf(texts),
  };
  const isCurrent = urlOfView(requested) === urlOfView(shown.view);
  // Not by search in a current answer: the server's search is a better, French one.
  const products = refilter(
    shown.page.products,
    isCurrent ? { ...requested, search: undefined } : requested,
  );
  // Until another page of the same list arrives, the current one keeps its numbers.
  const isSameList = urlOfView({ ...requested, page: shown.view.page }) === urlOfView(shown.view);
  const numberedPage = isSameList ? shown.view.page : requested.page;
  const category = categories.find(({ id }) => id === requested.categoryId);
  const title = category ? `Nos produits - ${category.name}` : "Nos produits";

  async function load(next: CatalogueView) {
    clearTimeout(timer.current);
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setView(next);
    setStatus("loading");
    try {
      const page = await fetchProducts({ view: next, signal: controller.signal });
      cachePage(next, page);
      setShown({ view: next, page });
      setStatus("ready");
    } catch {
      if (!controller.signal.aborted) setStatus("failed");
    }
  }

  /** Writes the view into the URL and loads it. */
  function commit(next: CatalogueView) {
    const url = urlOfView(next);
    if (url !== window.location.pathname + window.location.search) {
      window.history.pushState(null, "", url);
      trackQueryView();
    }
    if (next.search && next.search !== view.search) {
      trackEvent({ ...EVENTS.search, name: next.search });
    }
    load(next);
  }

  const change = (part: Partial<CatalogueView>) => commit({ ...requested, page: 1, ...part });

  function changeText(part: Partial<FilterTexts>) {
    const next = { ...texts, ...part };
    setTexts(next);
    clearTimeout(timer.current);
    const nextView: CatalogueView = {
      ...requested,
      page: 1,
      ...filtersOf(next),
    };
    if (part.search !== undefined && !nextView.search) {
      const isCleared = shown.view.search || texts.search.trim();
      if (isCleared || status !== "ready") commit(nextView);
      return;
    }
    const delay = part.search === undefined ? PRICE_DELAY_MS : SEARCH_DELAY_MS;
    timer.current = setTimeout(() => commit(nextView), delay);
  }

  /** Enter, or blur of a price: what was typed takes effect without the delay. */
  function commitTyped(event?: FormEvent) {
    event?.preventDefault();
    if (!isCurrent) change({});
  }

  function retry() {
    if (urlOfView(requested) === urlOfView(view)) load(view);
    else change({});
  }

  function showPage(page: number) {
    commit({ ...requested, page });
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }

  // The URL can differ from that of the server's HTML: after "back" from a product's page to a
  // filtered list, on every step through the history of this page, and after a link to the URL that
  // the page was rendered for, after its filters were changed.
  function syncWithUrl() {
    if (window.location.pathname !== "/products") return;
    const next = viewOfUrl(window.location.search);
    if (urlOfView(next) === urlOfView(view) && status !== "failed") return;
    trackQueryView();
    setTexts(textsOf(next));
    const cachedPage = pageCache.get(urlOfView(next));
    if (cachedPage) setShown({ view: next, page: cachedPage });
    load(next);
  }
  const onHistoryChange = useEffectEvent(syncWithUrl);
  useLayoutEffect(() => {
    const onPopState = () => onHistoryChange();
    onPopState();
    window.addEventListener("popstate", onPopState);
    return () => {
      window.removeEventListener("popstate", onPopState);
      clearTimeout(timer.current);
      request.current?.abort();
    };
  }, []);

  useHead({
    category: category?.name,
    tag: requested.tagId === tag?.id ? tag?.name : undefined,
    search: view.search,
    page: view.page,
  });

  const { total, hasNext, approximate } = shown.page;
  const pageCount = Math.max(
    Math.ceil(total / CATALOGUE_PAGE_SIZE),
    hasNext ? shown.view.page + 1 : 1,
  );
  // The server's total is right as long as the filters exclude none of the products shown.
  const isWhole = isSameList && products.length === shown.page.products.length;
  const isWaiting = status === "loading" || (!isCurrent && status === "ready");

  return (
    <>
      <Suspense>
        <QueryWatcher onChange={syncWithUrl} />
      </Suspense>
      <div className="mb-4">
        <Breadcrumb
          items={[
            { label: "Accueil", href: "/" },
            category ? { label: "Produits", href: "/products" } : { label: "Produits" },
            ...(category ? [{ label: category.name }] : []),
          ]}
        />
      </div>
      <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
        {title}
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
        tag={tag && requested.tagId === tag.id ? tag : null}
        view={requested}
        texts={texts}
        onChange={change}
        onText={changeText}
        onCommit={commitTyped}
      />
      {status === "failed" && (
        <RetryAlert
          className="mt-6"
          message={
            urlOfView({ ...requested, page: 1 }) === "/products"
              ? "Erreur lors du chargement des produits."
              : "Erreur lors du filtrage des produits."
          }
          onRetry={retry}
        />
      )}
      <p role="status" className="mt-8 mb-5 text-muted text-sm">
        {isWaiting ? "Recherche en cours…" : countText(isWhole ? total : products.length)}
      </p>
      {approximate && isCurrent ? (
        <div className="mb-6">
          <h2 className="text-heading">Résultats approchants</h2>
          <p className="text-muted">
            Aucun produit ne correspond exactement à «&nbsp;{shown.view.search}&nbsp;».
          </p>
        </div>
      ) : (
        products.length > 0 && <h2 className="sr-only">Résultats</h2>
      )}
      {products.length > 0 ? (
        <ul className={cardGrid} aria-busy={isWaiting}>
          {products.map((product, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card that moved would be a jump of the page
            <li key={`${index}-${product.id}`}>
              <ProductCard
                product={product}
                number={(numberedPage - 1) * CATALOGUE_PAGE_SIZE + index + 1}
                priority={index < 4}
              />
            </li>
          ))}
        </ul>
      ) : isWaiting ? (
        <CardSkeletons />
      ) : (
        status === "ready" && (
          <EmptyState title="Aucun produit disponible pour le moment ou correspondant à vos critères de recherche.">
            {urlOfView(requested) !== "/products" && (
              <ButtonLink href="/products" prefetch={false} variant="secondary">
                Voir tout le catalogue
              </ButtonLink>
            )}
          </EmptyState>
        )
      )}
      {isSameList && (
        <Pagination
          page={shown.view.page}
          pageCount={pageCount}
          href={(page) => urlOfView({ ...shown.view, page })}
          onSelect={showPage}
          className="mt-12"
        />
      )}
    </>
  );
}

/** The typed texts as filters: an empty text or an invalid price filters nothing. */
const filtersOf = ({ search, min, max }: FilterTexts) => ({
  search: search.trim() || undefined,
  minPriceCents: centsOfQuery(min) ?? undefined,
  maxPriceCents: centsOfQuery(max) ?? undefined,
});

/** Updates title and metadata to what is shown, as the server renders them for the same URL. */
function useHead({ category, tag, search, page }: Parameters<typeof catalogueTexts>[0]) {
  const texts = headTexts(catalogueTexts({ category, tag, search, page }));
  const key = JSON.stringify(texts);
  /** What was last written; at first, what the server has rendered or the router is about to. */
  const written = useRef(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the texts
  useEffect(() => {
    if (written.current === key) return;
    const write = () => {
      // Without the router's title element the browser would create one, which nobody would remove.
      if (!document.head.querySelector("title")) return false;
      const { title, description, keywords } = texts;
      document.title = title;
      for (const [name, content] of Object.entries({ description, keywords: keywords.join(",") }))
        document.querySelector(`meta[name="${name}"]`)?.setAttribute("content", content);
      written.current = key;
      return true;
    };
    if (write()) return;
    const observer = new MutationObserver(() => {
      if (write()) observer.disconnect();
    });
    observer.observe(document.head, { childList: true });
    return () => observer.disconnect();
  }, [key]);
}

/** Calls back when a link has changed the query. A component, since useSearchParams suspends. */
function QueryWatcher({ onChange }: { onChange: (query: string) => void }) {
  const query = useSearchParams().toString();
  const onQuery = useEffectEvent(onChange);
  useEffect(() => onQuery(query), [query]);
  return null;
}

const countText = (total: number) =>
  total === 0
    ? "Aucun produit"
    : total === 1
      ? "1 produit"
      : `${total.toLocaleString("fr-FR")} produits`;

function CardSkeletons() {
  return (
    <div className={cardGrid}>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className="space-y-3">
          <Skeleton className="aspect-square rounded-lg" />
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/3" />
        </div>
      ))}
    </div>
  );
}
