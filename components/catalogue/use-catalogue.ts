"use client";

import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import type { FilterTexts } from "@/components/catalogue/catalogue-filters";
import { useLoadedPages } from "@/components/catalogue/use-loaded-pages";
import { usePageTimer } from "@/components/ui/use-page-timer";
import { trackEvent, trackQueryView } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { type LoadedPage, viewOfUrl } from "@/lib/catalogue/client";
import { refilter } from "@/lib/catalogue/rules";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { parametersOfView, urlOfView } from "@/lib/catalogue/url";
import { centsOfQuery } from "@/lib/money";

export const SEARCH_DELAY_MS = 3000;
const PRICE_DELAY_MS = 500;

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

function textsOf(view: CatalogueView): FilterTexts {
  const { search = "", min_price: min = "", max_price: max = "" } = parametersOfView(view);
  return { search, min, max };
}

/** The typed texts as filters: an empty text or an invalid price filters nothing. */
const filtersOf = ({ search, min, max }: FilterTexts) => ({
  search: search.trim() || undefined,
  minPriceCents: centsOfQuery(min) ?? undefined,
  maxPriceCents: centsOfQuery(max) ?? undefined,
});

/**
 * The chosen filters and typed texts, in step with the URL, and the products that match them: at once the
 * matches on the loaded page, then the server's answer.
 */
export function useCatalogue(initial: { view: CatalogueView; page: LoadedPage }) {
  const { view, shown, status, ...pages } = useLoadedPages(initial);
  const [texts, setTexts] = useState(() => textsOf(initial.view));
  const timer = usePageTimer();

  const requested: CatalogueView = { ...view, ...filtersOf(texts) };
  /** The typed search waits for its delay. */
  const isSearchWaiting = requested.search !== undefined && requested.search !== view.search;
  const isCurrent = urlOfView(requested) === urlOfView(shown.view);
  // The current answer is not filtered by the search again: the server's search knows French.
  const products = refilter(
    shown.page.products,
    isCurrent ? { ...requested, search: undefined } : requested,
  );

  function load(next: CatalogueView) {
    timer.stop();
    pages.load(next);
  }

  /** Writes the view into the URL and loads it. */
  function commit(next: CatalogueView) {
    const url = urlOfView(next);
    if (url !== window.location.pathname + window.location.search) {
      window.history.pushState(null, "", url);
      trackQueryView();
    }
    if (next.search && next.search !== view.search)
      trackEvent({ ...EVENTS.search, name: next.search });
    load(next);
  }

  /** Prices and the search may be changed by other controls than their fields. */
  function change(part: Partial<CatalogueView>) {
    const next = { ...requested, page: 1, ...part };
    if ("search" in part || "minPriceCents" in part || "maxPriceCents" in part)
      setTexts(textsOf(next));
    commit(next);
  }

  function changeText(part: Partial<FilterTexts>) {
    const next = { ...texts, ...part };
    setTexts(next);
    timer.stop();
    const nextView: CatalogueView = { ...requested, page: 1, ...filtersOf(next) };
    if (part.search !== undefined && !nextView.search) {
      const isCleared = shown.view.search || texts.search.trim();
      if (isCleared || status !== "ready") commit(nextView);
      return;
    }
    const delay = part.search === undefined ? PRICE_DELAY_MS : SEARCH_DELAY_MS;
    timer.start(() => commit(nextView), delay);
  }

  /** On Enter, or blur of a price: the typed text takes effect without the delay. */
  function commitTyped(event?: FormEvent) {
    event?.preventDefault();
    if (!isCurrent) change({});
  }

  function retry() {
    if (urlOfView(requested) === urlOfView(view)) load(view);
    else change({});
  }

  /**
   * Loads the view of the URL. The URL can differ from that of the server's HTML: after "back" from a
   * product's page to a filtered list, on every step through the history of this page, and, once filters were
   * changed, after a link to the URL that the page was rendered for.
   */
  function syncWithUrl() {
    if (window.location.pathname !== "/products") return;
    const next = viewOfUrl(window.location.search);
    if (urlOfView(next) === urlOfView(view) && status !== "failed") return;
    trackQueryView();
    setTexts(textsOf(next));
    pages.showCached(next);
    load(next);
  }
  useVisit({ initial: initial.view, onHistoryChange: syncWithUrl });

  return {
    view,
    texts,
    requested,
    shown,
    status,
    isCurrent,
    isSearchWaiting,
    products,
    changes: { commit, change, changeText, commitTyped, retry, syncWithUrl },
  };
}

/** Counts the page view and the search that led here. Calls back at each step through the history. */
function useVisit({
  initial,
  onHistoryChange,
}: {
  initial: CatalogueView;
  onHistoryChange: () => void;
}): void {
  const trackLoading = useEffectEvent(() => {
    trackQueryView();
    if (isNewSearch(initial)) trackEvent({ ...EVENTS.search, name: initial.search });
  });
  useEffect(() => trackLoading(), []);
  const onChange = useEffectEvent(onHistoryChange);
  useLayoutEffect(() => {
    const onPopState = () => onChange();
    onPopState();
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, []);
}
