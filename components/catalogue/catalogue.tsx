"use client";

import { useSearchParams } from "next/navigation";
import { type FormEvent, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { CatalogueFilters, type FilterTexts } from "@/components/catalogue/catalogue-filters";
import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { Alert } from "@/components/ui/alert";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Pagination } from "@/components/ui/pagination";
import { Skeleton } from "@/components/ui/skeleton";
import { trackEvent, trackQueryView } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { addressOfView } from "@/lib/catalogue/address";
import { fetchProducts, type LoadedPage, PAGE_SIZE, viewOfAddress } from "@/lib/catalogue/client";
import { centsOfInput, refilter } from "@/lib/catalogue/rules";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { catalogueTexts, headTexts } from "@/lib/seo/head";

const SEARCH_DELAY_MS = 3000;
const PRICE_DELAY_MS = 500;
/** Pages of this visit that "back" shows without waiting. */
const REMEMBERED_PAGES = 30;

export type CatalogueLabel = { id: number; name: string; color: string };

type CatalogueProps = {
  categories: readonly CatalogueLabel[];
  /** The tag that the list is restricted to. */
  tag: CatalogueLabel | null;
  view: CatalogueView;
  page: LoadedPage;
};

const remembered = new Map<string, LoadedPage>();

let isFirstDocument = true;

/**
 * Is this the page that a search has just loaded, by the header's box or a link? One that is loaded
 * again, gone back to, or come to within the site is none.
 */
function isNewSearch({ search, page }: CatalogueView): boolean {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isNew = isFirstDocument && loading?.type === "navigate";
  isFirstDocument = false;
  return isNew && Boolean(search) && page === 1 && loading?.name === window.location.href;
}

function remember(view: CatalogueView, page: LoadedPage): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED_PAGES && oldest !== undefined) remembered.delete(oldest);
  remembered.set(addressOfView(view), page);
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
export function Catalogue({ categories, tag, ...initial }: CatalogueProps) {
  /** What the visitor asks for; `shown` is what the server has answered last. */
  const [view, setView] = useState(initial.view);
  const [texts, setTexts] = useState(() => textsOf(initial.view));
  const [shown, setShown] = useState({ view: initial.view, page: initial.page });
  const [status, setStatus] = useState<"ready" | "loading" | "failed">("ready");
  const request = useRef<AbortController>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: about the page as it was loaded
  useEffect(() => {
    trackQueryView();
    if (isNewSearch(initial.view)) trackEvent({ ...EVENTS.search, name: initial.view.search });
  }, []);

  const asked: CatalogueView = {
    ...view,
    search: texts.search.trim() || undefined,
    minPriceCents: centsOfInput(texts.min),
    maxPriceCents: centsOfInput(texts.max),
  };
  const isCurrent = addressOfView(asked) === addressOfView(shown.view);
  const products = isCurrent ? shown.page.products : refilter(shown.page.products, asked);
  // Until another page of the same list arrives, the one that is shown keeps its numbers.
  const isSameList =
    addressOfView({ ...asked, page: shown.view.page }) === addressOfView(shown.view);
  const numberedPage = isSameList ? shown.view.page : asked.page;
  const category = categories.find(({ id }) => id === asked.categoryId);
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
      remember(next, page);
      setShown({ view: next, page });
      setStatus("ready");
    } catch {
      if (!controller.signal.aborted) setStatus("failed");
    }
  }

  /** Takes what is asked for into the address and loads it. */
  function commit(next: CatalogueView) {
    const address = addressOfView(next);
    if (address !== window.location.pathname + window.location.search) {
      window.history.pushState(null, "", address);
    }
    if (next.search && next.search !== view.search) {
      trackEvent({ ...EVENTS.search, name: next.search });
    }
    load(next);
  }

  const change = (part: Partial<CatalogueView>) => commit({ ...asked, page: 1, ...part });

  function changeText(part: Partial<FilterTexts>) {
    const next = { ...texts, ...part };
    setTexts(next);
    clearTimeout(timer.current);
    const wanted: CatalogueView = {
      ...asked,
      page: 1,
      search: next.search.trim() || undefined,
      minPriceCents: centsOfInput(next.min),
      maxPriceCents: centsOfInput(next.max),
    };
    if (part.search !== undefined && !wanted.search) {
      const isCleared = shown.view.search || texts.search.trim();
      if (isCleared || status !== "ready") commit(wanted);
      return;
    }
    const delay = part.search === undefined ? PRICE_DELAY_MS : SEARCH_DELAY_MS;
    timer.current = setTimeout(() => commit(wanted), delay);
  }

  /** Enter, or leaving a price: what was typed takes effect without waiting. */
  function commitTyped(event?: FormEvent) {
    event?.preventDefault();
    if (!isCurrent) change({});
  }

  function showPage(page: number) {
    commit({ ...asked, page });
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }

  // The address can be another one than that of the server's HTML: after "back" from a product's
  // page to a filtered list, on every step through the history of this page, and after a link to the
  // page that is shown already, which filters have led away from since.
  const follow = useRef<() => void>(() => {});
  follow.current = () => {
    if (window.location.pathname !== "/products") return;
    const next = viewOfAddress(window.location.search);
    if (addressOfView(next) === addressOfView(view) && status !== "failed") return;
    trackQueryView();
    setTexts(textsOf(next));
    const known = remembered.get(addressOfView(next));
    if (known) setShown({ view: next, page: known });
    load(next);
  };
  useLayoutEffect(() => {
    const onPopState = () => follow.current();
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
    tag: asked.tagId === tag?.id ? tag?.name : undefined,
    search: view.search,
    page: view.page,
  });

  const { total, hasNext, approximate } = shown.page;
  const pageCount = Math.max(Math.ceil(total / PAGE_SIZE), hasNext ? shown.view.page + 1 : 1);
  const isWaiting = status === "loading" || (!isCurrent && status === "ready");

  return (
    <>
      <Suspense>
        <AddressWatcher onChange={() => follow.current()} />
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
      <CatalogueFilters
        categories={categories}
        tag={tag && asked.tagId === tag.id ? tag : null}
        view={asked}
        texts={texts}
        onChange={change}
        onText={changeText}
        onCommit={commitTyped}
      />
      {status === "failed" && (
        <Alert kind="error" className="mt-6">
          {addressOfView(asked) === "/products"
            ? "Erreur lors du chargement des produits."
            : "Erreur lors du filtrage des produits."}
        </Alert>
      )}
      <p role="status" className="mt-8 mb-5 text-muted text-sm">
        {isWaiting ? "Recherche en cours…" : countText(isCurrent ? total : products.length)}
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
                number={(numberedPage - 1) * PAGE_SIZE + index + 1}
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
            {addressOfView(asked) !== "/products" && (
              <ButtonLink href="/products" prefetch={false} variant="secondary">
                Voir tout le catalogue
              </ButtonLink>
            )}
          </EmptyState>
        )
      )}
      {isCurrent && (
        <Pagination
          page={shown.view.page}
          pageCount={pageCount}
          href={(page) => addressOfView({ ...shown.view, page })}
          onSelect={showPage}
          className="mt-12"
        />
      )}
    </>
  );
}

/** Says at the head of the page what it shows now, as the server does for the same address. */
function useHead({ category, tag, search, page }: Parameters<typeof catalogueTexts>[0]) {
  useEffect(() => {
    const { title, description, keywords } = headTexts(
      catalogueTexts({ category, tag, search, page }),
    );
    document.title = title;
    for (const [name, content] of Object.entries({ description, keywords: keywords.join(",") }))
      document.querySelector(`meta[name="${name}"]`)?.setAttribute("content", content);
  }, [category, tag, search, page]);
}

/** Calls back when a link has changed the query; apart, since reading it needs the browser. */
function AddressWatcher({ onChange }: { onChange: () => void }) {
  const query = useSearchParams().toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another query is a change
  useEffect(onChange, [query]);
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
