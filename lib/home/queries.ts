import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { listTags } from "@/lib/catalogue/labels";
import { listProductsByIds, type ProductRow } from "@/lib/catalogue/product-rows";
import { stockTags } from "@/lib/catalogue/queries";
import type { CatalogueLabel } from "@/lib/catalogue/rules";
import { cached, dependOn } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

/** Products in each of the home page's lists. */
const HOME_LIST_SIZE = 10;

export type HomeLists = {
  bestRatedProducts: ProductRow[];
  cheapestProduct: ProductRow[];
  mostSoldProducts: ProductRow[];
  latestProducts: ProductRow[];
  tags: CatalogueLabel[];
};

export type HomeRow = HomeLists & { recentlyViewedProducts: ProductRow[] };

/** The lists that are the same for every visitor, for the cached home page. */
export async function getHomePage(): Promise<HomeLists> {
  const [lists, tags] = await Promise.all([readHomeLists(), listTags()]);
  const stock = new Set(stockTags(Object.values(lists).flat()));
  await dependOn([CACHE_TAGS.catalogue, ...stock]);
  return { ...lists, tags };
}

async function getHomeLists(): Promise<HomeLists> {
  const [lists, tags] = await Promise.all([
    cached({
      key: ["home-lists"],
      tags: [CACHE_TAGS.catalogue, CACHE_TAGS.availability],
      run: readHomeLists,
    }),
    listTags(),
  ]);
  return { ...lists, tags };
}

/** The home page's lists, and the products that the visitor viewed last, in the order of `recent`. */
export async function getHome({ recent }: { recent: readonly number[] }): Promise<HomeRow> {
  const [lists, recentlyViewedProducts] = await Promise.all([
    getHomeLists(),
    listProductsByIds([...new Set(recent)].slice(0, HOME_LIST_SIZE)),
  ]);
  return { ...lists, recentlyViewedProducts };
}

/** Each sort order has an index: ten rows are read, whatever the size of the catalogue. */
async function readHomeLists() {
  const ordered = async (order: SQL, from = sql`products where status = 'active'`) => {
    const rows = await db.execute<{ id: number }>(
      sql`select id from ${from} order by ${order} limit ${HOME_LIST_SIZE}`,
    );
    return rows.map((row) => row.id);
  };
  const listed = (order: SQL) => {
    const kind = (isDigital: boolean) => sql`(
      select product_id as id, price_cents, created_at from product_listings l
      where kind = 0 and facet_id = 0 and is_digital = ${isDigital}
      order by ${order} limit ${HOME_LIST_SIZE}
    )`;
    return ordered(order, sql`(${kind(false)} union all ${kind(true)}) l`);
  };
  const [bestRated, mostSold, cheapest, latest] = await Promise.all([
    ordered(sql`average_rating desc nulls last, rating_count desc nulls last, id`),
    ordered(sql`sales_count desc nulls last, id`),
    listed(sql`price_cents, id`),
    listed(sql`created_at desc nulls last, id desc`),
  ]);
  const ids = new Set([...bestRated, ...mostSold, ...cheapest, ...latest]);
  const products = new Map(
    (await listProductsByIds([...ids])).map((product) => [product.id, product]),
  );
  const rows = (ids: number[]) =>
    ids.map((id) => products.get(id)).filter((product) => product !== undefined);
  return {
    bestRatedProducts: rows(bestRated),
    cheapestProduct: rows(cheapest),
    mostSoldProducts: rows(mostSold),
    latestProducts: rows(latest),
  };
}
