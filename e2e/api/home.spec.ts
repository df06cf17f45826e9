import { sql } from "drizzle-orm";
import { expect, test } from "../fixtures";
import { type LabelJson, type ProductJson, readWhole } from "../representation";

interface HomeJson {
  bestRatedProducts: ProductJson[];
  cheapestProduct: ProductJson[];
  recentlyViewedProducts: ProductJson[];
  mostSoldProducts: ProductJson[];
  latestProducts: ProductJson[];
  tags: LabelJson[];
}

const LISTS = [
  "bestRatedProducts",
  "cheapestProduct",
  "recentlyViewedProducts",
  "mostSoldProducts",
  "latestProducts",
] as const;

const ids = (products: readonly { id: number }[]) => products.map(({ id }) => id);

test.beforeAll(({ shop }) => shop.forgetCaches());

test("has exactly the six lists of complete products, without links", async ({ api }) => {
  const ld = await api.get<HomeJson>("/api/home?recent[]=1");
  expect(ld.status).toBe(200);
  expect(ld.headers["content-type"]).toBe("application/ld+json; charset=utf-8");
  const plain = await api.get<HomeJson>("/api/home?recent[]=1", { accept: "application/json" });
  expect(plain.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(Object.keys(plain.json).sort()).toEqual([...LISTS, "tags"].sort());
  for (const list of LISTS) {
    expect(ids(plain.json[list])).toEqual(ids(ld.json[list]));
    for (const product of ld.json[list]) {
      const item = await api.get<ProductJson>(`/api/products/${product.id}`);
      expect({ "@context": "/api/contexts/Product", ...product }).toEqual(item.json);
    }
  }
  expect(plain.json.tags).toEqual(await readWhole<LabelJson>({ api, path: "/api/tags" }));
  expect(plain.text).not.toMatch(/"@|"hydra:|download/i);
  expect(ld.text).not.toMatch(/download/i);
});

test("each list has the first ten of all products, in its order", async ({ api, database }) => {
  const { json } = await api.get<HomeJson>("/api/home");
  for (const [list, order] of [
    ["bestRatedProducts", sql`(rating_sum::numeric / nullif(rating_count, 0)) desc nulls last`],
    ["cheapestProduct", sql`price_cents`],
    ["mostSoldProducts", sql`sales_count desc`],
    ["latestProducts", sql`created_at desc nulls last`],
  ] as const) {
    const rows = await database.execute<{ id: number; rank: number }>(
      sql`select id, rank() over (order by ${order})::int as rank from products order by rank`,
    );
    const rank = new Map(rows.map((row) => [row.id, row.rank]));
    const found = ids(json[list]);
    expect(new Set(found).size, list).toBe(10);
    expect(
      found.map((id) => rank.get(id)),
      list,
    ).toEqual(rows.slice(0, 10).map((row) => row.rank));
  }
});

test("an empty shop has empty lists", async ({ shopWith }) => {
  const { api, database: db, forgetCaches } = await shopWith();
  await db.execute(sql`truncate products, categories, tags restart identity cascade`);
  await forgetCaches();
  const empty = await api.get("/api/home?recent[]=1", { accept: "application/json" });
  expect(empty.status).toBe(200);
  expect(empty.json).toEqual(Object.fromEntries([...LISTS, "tags"].map((list) => [list, []])));
});

test("recently viewed products come in the order of the ids, ten at most, once each", async ({
  api,
}) => {
  const recent = (values: readonly (string | number)[]) =>
    `/api/home?${values.map((value) => `recent[]=${encodeURIComponent(value)}`).join("&")}`;
  const many = Array.from({ length: 1_000 }, (_, i) => 60 - (i % 60));
  // Deleted products and invalid ids are skipped.
  const wrong = ["abc", 7, "-1", 0, "99999999999", "1.5", 2_000_000_000, "", "<b>", "🦊", 4];
  for (const [path, expected] of [
    [recent([17, 3, 42, 8, 60, 1]), [17, 3, 42, 8, 60, 1]],
    [recent([5, 9, 5, 9, 2]), [5, 9, 2]],
    [recent(many), many.slice(0, 10)],
    [recent(wrong), [7, 4]],
    ["/api/home?recent[]=", []],
    ["/api/home?recent[0]=7&recent[1]=4", [7, 4]],
    ["/api/home?recent[]=%E0%A4%A", []],
  ] as const) {
    const { status, json } = await api.get<HomeJson>(path);
    expect(status, path).toBe(200);
    expect(ids(json.recentlyViewedProducts), path).toEqual(expected);
  }
});
