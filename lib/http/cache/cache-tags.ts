/**
 * What cached pages and data depend on. Whoever writes calls `invalidate()` (cache.ts) with the
 * tags of what changed, after the transaction; whoever reads names them in `cached()`.
 */
export const CACHE_TAGS = {
  /** Any list of products: catalogue views, home, sitemap. */
  catalogue: "catalogue",
  /** Results of free text. */
  searches: "searches",
  /** Names and colours of categories. */
  categories: "categories",
  /** Names and colours of tags. */
  tags: "tags",
  /** Who sells. */
  seller: "seller",
  /** How the shop delivers, and for what price. */
  shippingMethods: "shipping-methods",
  /** One product with its validated reviews and its rating. */
  product: (id: number) => `product:${id}`,
  /** What a list says of one product's pieces. */
  stock: (id: number) => `stock:${id}`,
  /** How many pieces of each product the API's lists show. */
  availability: "availability",
} as const;

/** The tag of every page in a cache in front of the shop (stored-pages.ts); `cached()` does not know it. */
export const EVERY_PAGE = "pages";
