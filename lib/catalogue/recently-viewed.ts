const KEY = "recentlyViewedProducts";
const MOST = 10;

/** The ids of the products looked at in this browser, most recent first. */
export function readRecentlyViewed(): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const ids = Array.isArray(stored) ? stored.map(Number) : [];
    return ids.filter((id) => Number.isInteger(id) && id > 0).slice(0, MOST);
  } catch {
    return [];
  }
}

/** Puts a product at the head of the list. */
export function rememberProduct(id: number): void {
  const others = readRecentlyViewed().filter((other) => other !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // A browser that stores nothing has no history.
  }
}
