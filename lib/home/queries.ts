import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { LABEL_SIZE_KIND } from "@/db/schema/catalogue";
import { listCategories, listTags } from "@/lib/catalogue/labels";
import { countListed } from "@/lib/catalogue/listings";
import { listProductsByIds, type ProductRow } from "@/lib/catalogue/product-rows";
import { stockTags } from "@/lib/catalogue/queries";
import type { CatalogueLabel } from "@/lib/catalogue/rules";
import type { CategoryTile, HomeReview } from "@/lib/home/rules";
import { cached, dependOn } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { authorName } from "@/lib/reviews/rules";

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

/** What the home page shows to every visitor. */
export async function getHomePage() {
  const [lists, tags, categories, reviews] = await Promise.all([
    readHomeLists(),
    listTags(),
    readCategoryTiles(),
    readHomeReviews(),
  ]);
  const stock = new Set(stockTags(Object.values(lists).flat()));
  const reviewed = reviews.map(({ product }) => CACHE_TAGS.product(product.id));
  await dependOn([CACHE_TAGS.catalogue, ...stock, ...reviewed]);
  return { ...lists, tags, categories, reviews };
}

/** Categories that the home page shows with a picture. */
const CATEGORY_TILES = 4;

/** The largest categories, by name, each with the picture of its product that sells best. */
async function readCategoryTiles(): Promise<CategoryTile[]> {
  const rows = await db.execute<{ id: number; image: string | null }>(sql`
    select largest.id, (
      select p.image from products p
      where p.default_category_id = largest.id and p.status = 'active' and p.image <> ''
      order by p.sales_count desc nulls last, p.id limit 1
    ) as image
    from (
      select label_id as id from label_sizes where kind = ${LABEL_SIZE_KIND.category}
      group by label_id having sum(products) > 0
      order by sum(products) desc, label_id limit ${CATEGORY_TILES}
    ) largest`);
  const images = new Map(rows.map(({ id, image }) => [id, image]));
  const shown = (await listCategories()).filter(({ id }) => images.has(id));
  return Promise.all(
    shown.map(async ({ id, name }) => ({
      id,
      name,
      image: images.get(id) ?? null,
      products: await countListed({ categoryId: id }),
    })),
  );
}

/** Reviews on the home page. */
const HOME_REVIEWS = 3;
/** The latest published reviews among which they are chosen: a bound on what is read. */
const CONSIDERED_REVIEWS = 100;
/** Shorter reviews say little, longer ones do not fit. */
const REVIEW_LENGTH = { min: 40, max: 280 };

/** The latest good reviews, of different products. */
async function readHomeReviews(): Promise<HomeReview[]> {
  const rows = await db.execute<{
    id: number;
    rating: number;
    content: string;
    first_name: string;
    last_name: string;
    product_id: number;
    name: string;
    image: string | null;
    category_id: number;
  }>(sql`
    select * from (
      select distinct on (r.product_id) r.id, r.rating, r.content, r.published_at,
        u.first_name, u.last_name, r.product_id, p.name, p.image, p.default_category_id as category_id
      from (
        select * from reviews where status = 'VALIDATED'
        order by published_at desc limit ${CONSIDERED_REVIEWS}
      ) r
      join users u on u.id = r.user_id
      join products p on p.id = r.product_id and p.status = 'active'
      where r.rating >= 4
        and char_length(r.content) between ${REVIEW_LENGTH.min} and ${REVIEW_LENGTH.max}
      order by r.product_id, r.published_at desc, r.id desc
    ) latest
    order by published_at desc, id desc limit ${HOME_REVIEWS}`);
  return rows.map((row) => ({
    id: row.id,
    rating: row.rating,
    content: row.content,
    author: authorName({ firstName: row.first_name, lastName: row.last_name }),
    product: {
      id: row.product_id,
      name: row.name,
      image: row.image,
      categoryId: row.category_id,
    },
  }));
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
