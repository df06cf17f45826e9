import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { StockChange } from "./mutations";
import { isShownAlike } from "./rules";

/**
 * Expires the pages that show what changes of stock have changed: each product's own, and the lists that
 * it stands in. Nothing, where pages say the same as before. Call it after the commit.
 */
export async function expireStock(changes: readonly StockChange[]): Promise<void> {
  const shown = changes.filter(({ before, after }) => !isShownAlike(before, after));
  const ids = shown.map(({ productId }) => productId);
  if (ids.length === 0) return;
  // Lists do not name the products that were not counted when they were rendered.
  const isNew = shown.some(({ before }) => before.stock === null);
  await invalidate([
    ...(isNew ? [CACHE_TAGS.catalogue] : []),
    CACHE_TAGS.availability,
    ...ids.flatMap((id) => [CACHE_TAGS.product(id), CACHE_TAGS.stock(id)]),
  ]);
}
