/**
 * What cached pages and data depend on. Whoever writes calls `invalidate()` (cache.ts) with the
 * tags of what changed, after the transaction; whoever reads names them in `cached()`.
 */
export const CACHE_TAGS = {
  /** Any list of products: catalogue views, home, sitemap. */
  catalogue: "catalogue",
  /** Names and colours of categories. */
  categories: "categories",
  /** Names and colours of tags. */
  tags: "tags",
  /** Who sells. */
  seller: "seller",
  /** One product with its validated reviews and its rating. */
  product: (id: number) => `product:${id}`,
} as const;

/** Every page bears it in a cache in front of the shop (cached-answers.ts); `cached()` knows it not. */
export const EVERY_PAGE = "pages";
