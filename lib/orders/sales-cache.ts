import { invalidate } from "@/lib/http/cache";
import { CACHE_TAGS } from "@/lib/http/cache-tags";

/**
 * Milliseconds between two times that lists of products are expired because of sales. In a busy
 * hour nothing would stay cached if each order expired them.
 */
const INTERVAL = 2_000;

// Next.js may load this module once per bundle; one process has one clock.
const KEY = Symbol.for("mini-ecommerce.sales-cache");
const shared = globalThis as { [KEY]?: { timer: NodeJS.Timeout | undefined; isDue: boolean } };
shared[KEY] ??= { timer: undefined, isDue: false };
const state = shared[KEY];

/**
 * Expires what shows how often products were sold: their own pages at once, lists at once or, where
 * that has just been done, two seconds later. Call it after the commit.
 */
export async function expireSales(productIds: readonly (number | null)[]): Promise<void> {
  const tags = productIds.filter((id) => id !== null).map(CACHE_TAGS.product);
  if (state.timer) {
    state.isDue = true;
    return invalidate(tags);
  }
  state.timer = setTimeout(() => {
    state.timer = undefined;
    if (!state.isDue) return;
    state.isDue = false;
    expireSales([]);
  }, INTERVAL);
  state.timer.unref();
  await invalidate([...tags, CACHE_TAGS.catalogue]);
}
