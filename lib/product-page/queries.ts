import { cache } from "react";
import { getProduct, type ProductRow } from "@/lib/catalogue/product-rows";
import { stockTags } from "@/lib/catalogue/queries";
import { productResource } from "@/lib/catalogue/resource";
import { cardOf } from "@/lib/catalogue/rules";
import { parseId } from "@/lib/http/api/ids";
import { cached, dependOn } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { listRelated } from "@/lib/related/queries";
import { listPublishedReviews } from "@/lib/reviews/queries";
import { listPublicMethods } from "@/lib/shipping-methods/queries";
import { deliveryPromise, mainlandOffers, parcelOf } from "@/lib/shipping-methods/rules";

/** The data of a product's page; null if there is no such product. Read once per rendering. */
export const getProductPage = cache(async (idText: string) => {
  const id = parseId(idText);
  if (id === null) return null;
  const found = await cached({
    key: ["product-page", String(id)],
    tags: [CACHE_TAGS.product(id), CACHE_TAGS.categories, CACHE_TAGS.tags],
    run: async () => {
      const [row, reviews] = await Promise.all([getProduct(id), listPublishedReviews(id)]);
      return row && { row, reviews };
    },
  });
  if (!found) return null;
  const { row, reviews } = found;
  const [related, methods] = await Promise.all([readRelated(row), listPublicMethods()]);
  const { type, priceCents, weight } = row;
  const parcel = parcelOf([{ type, quantity: 1, priceCents, weight }]);
  return {
    product: productResource.toJson(row),
    reviews,
    related,
    delivery: parcel && deliveryPromise(methods, parcel),
    /** What each method to mainland France asks for one piece; empty for a file. */
    shipping: (parcel ? mainlandOffers(methods, parcel) : []).map(({ offeredCents, delay }) => ({
      priceCents: offeredCents,
      delay,
    })),
  };
});

/** The cards of related products. The page depends on them; new products appear once the page is too old. */
async function readRelated(row: ProductRow) {
  const { similar, boughtTogether } = await listRelated(row);
  const shown = [...similar, ...boughtTogether];
  await dependOn([...shown.map(({ id }) => CACHE_TAGS.product(id)), ...stockTags(shown)]);
  // Cards show no description: the page is smaller without.
  const cards = (rows: readonly ProductRow[]) =>
    rows.map((related) => ({ ...cardOf(productResource.toJson(related)), description: "" }));
  return { similar: cards(similar), boughtTogether: cards(boughtTogether) };
}
