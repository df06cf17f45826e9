import { type CardProduct, cardOf, type ProductJson } from "@/lib/catalogue/rules";
import { getPublic, membersOf } from "@/lib/public-api";

/** The products with these ids, in this order, without products that have left the shop. */
export async function fetchRecentlyViewed(ids: readonly number[]): Promise<CardProduct[]> {
  const query = ids.map((id) => `recent[]=${id}`).join("&");
  const home = await getJson(`/api/home?${query}`);
  return membersOf<ProductJson>(home.recentlyViewedProducts).map(cardOf);
}

/** The first products with a tag. */
export async function fetchTaggedProducts(tagId: number): Promise<CardProduct[]> {
  const page = await getJson(`/api/products?tags.id=${tagId}`);
  return membersOf<ProductJson>(page).map(cardOf);
}

const getJson = async (url: string) =>
  (await getPublic(url, { accept: "application/ld+json" })).json();
