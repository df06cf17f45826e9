"use client";

import { useEffect, useRef, useState } from "react";
import { fetchFacets } from "@/lib/catalogue/client";
import type { Facets } from "@/lib/catalogue/facet-schemas";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";

/** Sorts and pages change no count. */
const keyOf = (view: CatalogueView) =>
  urlOfView({ ...view, priceSort: undefined, dateSort: undefined, page: 1 });

/**
 * The counts of the filters for a view: null while none are known. `areCounted` is false while they are those of another
 * view; `hasFailed` says that those of this view could not be loaded.
 */
export function useFacets({
  view,
  initial,
}: {
  view: CatalogueView;
  initial: { view: CatalogueView; facets: Facets | null };
}): { facets: Facets | null; areCounted: boolean; hasFailed: boolean } {
  const [known, setKnown] = useState(() => ({
    key: initial.facets ? keyOf(initial.view) : null,
    facets: initial.facets,
  }));
  const [failed, setFailed] = useState<string | null>(null);
  const key = keyOf(view);
  const requested = useRef(view);
  requested.current = view;
  const isKnown = known.key === key;

  useEffect(() => {
    if (isKnown) return;
    const controller = new AbortController();
    const { signal } = controller;
    fetchFacets({ view: requested.current, signal }).then(
      (facets) => {
        if (!signal.aborted) setKnown({ key, facets });
      },
      () => {
        if (!signal.aborted) setFailed(key);
      },
    );
    return () => controller.abort();
  }, [key, isKnown]);

  return { facets: known.facets, areCounted: isKnown, hasFailed: failed === key };
}
