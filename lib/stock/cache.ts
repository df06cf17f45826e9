import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { StockChange } from "./mutations";
import { isShownAlike } from "./rules";

/**
 * Expires the cached pages that show a changed stock: each product's page, and the lists that contain the
 * product. Expires nothing where pages look the same as before. Call it after the commit.
 */
export async function expireStock(changes: readonly StockChange[]): Promise<void> {
  const shown = changes.filter(({ before, after }) => !isShownAlike(before, after));
  const ids = shown.map(({ productId }) => productId);
  if (ids.length === 0) return;
  // Lists rendered before the product was counted do not carry its tag: expire all lists.
  const isNew = shown.some(({ before }) => before.stock === null);
  await invalidate([
    ...(isNew ? [CACHE_TAGS.catalogue] : []),
    CACHE_TAGS.availability,
    ...ids.flatMap((id) => [CACHE_TAGS.product(id), CACHE_TAGS.stock(id)]),
  ]);
}
