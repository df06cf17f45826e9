import { membersOf } from "@/lib/api-client";
import { type CardProduct, cardOf, type ProductJson } from "@/lib/catalogue/rules";

/** The products with these ids, in their order; those that left the shop are passed over. */
export async function fetchRecentlyViewed(ids: readonly number[]): Promise<CardProduct[]> {
  const query = ids.map((id) => `recent[]=${id}`).join("&");
  const home = await getJson(`/api/home?${query}`);
  return home.recentlyViewedProducts.map(cardOf);
}

/** The first products with a tag. */
export async function fetchTaggedProducts(tagId: number): Promise<CardProduct[]> {
  const page = await getJson(`/api/products?tags.id=${tagId}`);
  return membersOf<ProductJson>(page).map(cardOf);
}

async function getJson(address: string) {
  const response = await fetch(address, { headers: { Accept: "application/ld+json" } });
  if (!response.ok) throw new Error(`GET ${address}: ${response.status}`);
  return response.json();
}
