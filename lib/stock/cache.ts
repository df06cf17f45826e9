import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { StockChange } from "./mutations";

/** Expires the pages of products whose stock has changed. Call it after the commit. */
export const expireStock = (changes: readonly StockChange[]): Promise<void> =>
  invalidate(changes.map(({ productId }) => CACHE_TAGS.product(productId)));
