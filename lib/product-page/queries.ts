import { cache } from "react";
import { getProduct } from "@/lib/catalogue/product-rows";
import { productResource } from "@/lib/catalogue/resource";
import { parseId } from "@/lib/http/api/ids";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { listPublishedReviews } from "@/lib/reviews/queries";

/** The data of a product's page; null if there is no such product. Read once per rendering. */
export const getProductPage = cache(async (idText: string) => {
  const id = parseId(idText);
  if (id === null) return null;
  return cached({
    key: ["product-page", String(id)],
    tags: [CACHE_TAGS.product(id), CACHE_TAGS.categories, CACHE_TAGS.tags],
    run: async () => {
      const [row, reviews] = await Promise.all([getProduct(id), listPublishedReviews(id)]);
      return row && { product: productResource.toJson(row), reviews };
    },
  });
});
