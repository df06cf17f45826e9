// In a module of its own: a product's page loads it without the code that reads the API.

import { withStorage } from "@/lib/browser/storage";

const RECENTLY_VIEWED_KEY = "recentlyViewedProducts";
const MAX_RECENTLY_VIEWED = 10;

/** The ids of the products viewed in this browser, most recent first. */
export function readRecentlyViewed(): number[] {
  const ids = withStorage(() => {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENTLY_VIEWED_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.map(Number) : [];
  });
  return (ids ?? []).filter((id) => Number.isInteger(id) && id > 0).slice(0, MAX_RECENTLY_VIEWED);
}

/** Puts a product at the head of the list. */
export function rememberProduct(id: number): void {
  const others = readRecentlyViewed().filter((other) => other !== id);
  // Without storage there is no history.
  withStorage(() =>
    localStorage.setItem(
      RECENTLY_VIEWED_KEY,
      JSON.stringify([id, ...others].slice(0, MAX_RECENTLY_VIEWED)),
    ),
  );
}
