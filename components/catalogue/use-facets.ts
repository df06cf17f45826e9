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
 * The counts of the filters for a view. `areCounted` is false while they are those of another view, or if the server
 * has not counted them in time.
 */
export function useFacets({
  view,
  initial,
}: {
  view: CatalogueView;
  initial: { view: CatalogueView; facets: Facets | null };
}): { facets: Facets | null; areCounted: boolean } {
  const [known, setKnown] = useState(() => ({
    key: initial.facets ? keyOf(initial.view) : null,
    facets: initial.facets,
  }));
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
      // The filters stay without their counts.
      () => undefined,
    );
    return () => controller.abort();
  }, [key, isKnown]);

  return { facets: known.facets, areCounted: isKnown };
}
