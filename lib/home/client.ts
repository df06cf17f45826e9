import { membersOf, timeoutSignal } from "@/lib/api-list";
import { type CardProduct, cardOf, type ProductJson } from "@/lib/catalogue/rules";

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

async function getJson(url: string) {
  const response = await fetch(url, {
    headers: { Accept: "application/ld+json" },
    signal: timeoutSignal(),
  });
  if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
  return response.json();
}
