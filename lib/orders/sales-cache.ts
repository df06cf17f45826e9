import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { perProcess } from "@/lib/runtime/per-process";

/**
 * Milliseconds between two expirations of product lists because of sales. If each order expired the lists,
 * they would never be cached in a busy hour.
 */
const INTERVAL = 2_000;

interface State {
  timer: NodeJS.Timeout | undefined;
  isDue: boolean;
}

const state = perProcess<State>("sales-cache", () => ({ timer: undefined, isDue: false }));

/**
 * Expires the pages that show sales counts: product pages at once, lists at most every two seconds. Call it
 * after the commit.
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
