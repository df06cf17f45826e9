"use client";

import { useRef, useState } from "react";
import { readRecentlyViewed } from "@/lib/catalogue/recently-viewed";
import type { CardProduct } from "@/lib/catalogue/rules";
import { fetchRecentlyViewed } from "@/lib/home/client";

/** The products that the visitor has looked at; null while the products are being loaded. */
export function useRecentlyViewed() {
  const [recent, setRecent] = useState<CardProduct[] | null>([]);
  /** The ids that `recent` shows or is loading, joined. */
  const shownIds = useRef("");

  /** Loads the history, which other tabs extend, too. The old list stays until the new one has arrived. */
  async function load() {
    const ids = readRecentlyViewed();
    const key = ids.join();
    if (shownIds.current === key) return;
    shownIds.current = key;
    setRecent((shown) => (shown?.length ? shown : null));
    try {
      const products = ids.length > 0 ? await fetchRecentlyViewed(ids) : [];
      if (shownIds.current === key) setRecent(products);
    } catch {
      if (shownIds.current !== key) return;
      shownIds.current = "";
      setRecent([]);
    }
  }

  return { recent, load };
}
