import { cache } from "react";
import { getProduct } from "@/lib/catalogue/product-rows";
import { productResource } from "@/lib/catalogue/resource";
import { parseId } from "@/lib/http/api/ids";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { listPublishedReviews } from "@/lib/reviews/queries";
import { listPublicMethods } from "@/lib/shipping-methods/queries";
import { mainlandOffers, parcelOf } from "@/lib/shipping-methods/rules";

/** The data of a product's page; null if there is no such product. Read once per rendering. */
export const getProductPage = cache(async (idText: string) => {
  const id = parseId(idText);
  if (id === null) return null;
  const [found, methods] = await Promise.all([readProduct(id), listPublicMethods()]);
  if (!found) return null;
  const { row, reviews } = found;
  const { type, priceCents, weight } = row;
  const parcel = parcelOf([{ type, quantity: 1, priceCents, weight }]);
  return {
    product: productResource.toJson(row),
    reviews,
    /** What each method to mainland France asks for one piece; empty for a file. */
    shipping: (parcel ? mainlandOffers(methods, parcel) : []).map(({ offeredCents, delay }) => ({
      priceCents: offeredCents,
      delay,
    })),
  };
});

const readProduct = (id: number) =>
  cached({
    key: ["product-page", String(id)],
    tags: [CACHE_TAGS.product(id), CACHE_TAGS.categories, CACHE_TAGS.tags],
    run: async () => {
      const [row, reviews] = await Promise.all([getProduct(id), listPublishedReviews(id)]);
      return row && { row, reviews };
    },
  });
