"use client";

import { useEffect, useRef, useState } from "react";
import { fetchProducts, type LoadedPage } from "@/lib/catalogue/client";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";

/** Pages of this visit that the back button shows without waiting. */
const CACHE_SIZE = 30;

const cache = new Map<string, LoadedPage>();

function cachePage(view: CatalogueView, page: LoadedPage): void {
  const [oldest] = cache.keys();
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(urlOfView(view), page);
}

/**
 * Loads pages of the catalogue; a new request aborts the previous request. `view` is the page requested last,
 * `shown` the page that the server has answered last.
 */
export function useLoadedPages(initial: { view: CatalogueView; page: LoadedPage }) {
  const [view, setView] = useState(initial.view);
  const [shown, setShown] = useState(initial);
  const [status, setStatus] = useState<"ready" | "loading" | "failed">("ready");
  const request = useRef<AbortController>(null);
  useEffect(() => () => request.current?.abort(), []);

  async function load(next: CatalogueView) {
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

  /** Shows a page at once if this visit has already loaded it. */
  function showCached(next: CatalogueView) {
    const page = cache.get(urlOfView(next));
    if (page) setShown({ view: next, page });
  }

  return { view, shown, status, load, showCached };
}
