// In a module of its own: a product's page loads it without the code that reads the API.

const RECENTLY_VIEWED_KEY = "recentlyViewedProducts";
const MAX_RECENTLY_VIEWED = 10;

/** The ids of the products viewed in this browser, most recent first. */
export function readRecentlyViewed(): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENTLY_VIEWED_KEY) ?? "[]");
    const ids = Array.isArray(stored) ? stored.map(Number) : [];
    return ids.filter((id) => Number.isInteger(id) && id > 0).slice(0, MAX_RECENTLY_VIEWED);
  } catch {
    return [];
  }
}

/** Puts a product at the head of the list. */
export function rememberProduct(id: number): void {
  const others = readRecentlyViewed().filter((other) => other !== id);
  try {
    localStorage.setItem(
      RECENTLY_VIEWED_KEY,
      JSON.stringify([id, ...others].slice(0, MAX_RECENTLY_VIEWED)),
    );
  } catch {
    // Without storage there is no history.
  }
}
