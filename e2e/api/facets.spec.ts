import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createRandom } from "@/db/seed/random";
import type { Facets } from "@/lib/catalogue/facet-schemas";
import { newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";

// Filters beyond the specified ones, and the counts beside all filters. The counts are compared with those of a loop over
// all products.

interface Product {
  id: number;
  type: "physical" | "digital";
  cents: number;
  rating: number | null;
  stock: number | null;
  categories: number[];
  tags: number[];
  characteristics: { name: string; value: string }[];
}

type Filters = {
  category?: number;
  type?: string;
  tags?: number[];
  min?: number;
  max?: number;
  rating?: number;
  inStock?: boolean;
  characteristics?: Record<string, string[]>;
};

const matches: Record<keyof Filters, (product: Product, filters: Filters) => boolean> = {
  category: ({ categories }, { category }) =>
    category === undefined || categories.includes(category),
  type: (product, { type }) => type === undefined || product.type === type,
  tags: ({ tags }, filters) => !filters.tags || filters.tags.some((id) => tags.includes(id)),
  min: ({ cents }, { min = 0 }) => cents >= min * 100,
  max: ({ cents }, { max }) => max === undefined || cents <= Math.round(max * 100),
  rating: (product, { rating }) => rating === undefined || (product.rating ?? -1) >= rating,
  inStock: ({ stock }, { inStock }) => !inStock || stock !== 0,
  characteristics: (product, { characteristics = {} }) =>
    Object.entries(characteristics).every(([name, values]) =>
      product.characteristics.some((each) => each.name === name && values.includes(each.value)),
    ),
};

const matching = (products: readonly Product[], filters: Filters) =>
  products.filter((product) =>
    Object.values(matches).every((isMatch) => isMatch(product, filters)),
  );

function queryOf({ category, type, tags, min, max, rating, inStock, ...filters }: Filters): string {
  const query = new URLSearchParams();
  if (category !== undefined) query.append("category", String(category));
  if (type) query.append("type", type);
  for (const id of tags ?? []) query.append("tags[]", String(id));
  if (min !== undefined) query.append("min_price", String(min));
  if (max !== undefined) query.append("max_price", String(max));
  if (rating !== undefined) query.append("min_rating", String(rating));
  if (inStock) query.append("availability", "in_stock");
  for (const [name, values] of Object.entries(filters.characteristics ?? {}))
    for (const value of values) query.append(`characteristics[${name}][]`, value);
  return query.toString();
}

async function allProducts(db: Database): Promise<Product[]> {
  const rows = await db.execute<Product & Record<string, unknown>>(sql`
    select p.id, p.type, p.price_cents as cents, p.average_rating::float as rating, p.stock,
      array(select category_id from product_categories where product_id = p.id
        union select p.default_category_id) as categories,
      array(select tag_id from product_tags where product_id = p.id) as tags,
      coalesce(p.characteristics, '[]') as characteristics
    from products p`);
  return [...rows];
}

const facetsFor = async (api: Api, query: string) =>
  (await api.get<Facets>(`/api/product_facets?${query}`)).json;

const totalFor = async (api: Api, query: string) =>
  (await api.get<Collection<ProductJson>>(`/api/products?${query}&itemsPerPage=1`)).json[
    "hydra:totalItems"
  ];

/** The number of products for each of some values; values without products are in no answer. */
const counted = <Value>(values: readonly Value[], count: (value: Value) => number) =>
  new Map(values.map((value) => [value, count(value)] as const).filter(([, n]) => n > 0));

const found = <Item extends { count: number }>(
  items: readonly Item[],
  key: (item: Item) => unknown,
) => new Map(items.filter(({ count }) => count > 0).map((item) => [key(item), item.count]));

test("every count is that of a loop over all products, and of the list", async ({ shopWith }) => {
  const { api, database: db } = await shopWith();
  const { next: random, pick } = createRandom(20_260);
  const some = <Item>(items: readonly Item[], most: number): Item[] => [
    ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(items))),
  ];
  const MATERIALS = ["Bois", "Grès", "Laine [mérinos]", "Fer & étain", "10 % lin"];
  const SIZES = ["S", "M", "L"];
  const categories = await Promise.all(
    ["Matière", "Taille", "Rien"].map((name) => createCategory({ db, filters: [name] })),
  );
  const tags = await Promise.all(Array.from({ length: 5 }, () => createTag({ db })));
  const categoryIds = categories.map(({ id }) => id);
  const tagIds = tags.map(({ id }) => id);
  for (let i = 0; i < 150; i++) {
    const type = pick(["physical", "digital"] as const);
    const ratingCount = Math.floor(random() * 4);
    await createProduct({
      db,
      type,
      priceCents: Math.floor(random() ** 2 * 60_000),
      defaultCategoryId: pick(categoryIds),
      categoryIds: some(categoryIds, 2),
      tagIds: some(tagIds, 3),
      ratingCount,
      ratingSum: Math.floor(ratingCount * (1 + random() * 4)),
      ...(type === "physical" && {
        stock: pick([null, 0, 0, 3]),
        characteristics: [
          ...some(MATERIALS, 1).map((value) => ({ name: "Matière", value })),
          ...some(SIZES, 1).map((value) => ({ name: "Taille", value })),
        ],
      }),
    });
  }
  const products = await allProducts(db);
  const allCategories = [...new Set(products.flatMap((product) => product.categories))];
  const allTags = [...new Set(products.flatMap((product) => product.tags))];

  for (let round = 0; round < 40; round++) {
    const filters: Filters = {
      ...(random() < 0.4 && { category: pick(categoryIds) }),
      ...(random() < 0.3 && { type: pick(["physical", "digital"]) }),
      ...(random() < 0.4 && { tags: [pick(tagIds), ...some(tagIds, 1)] }),
      ...(random() < 0.3 && { min: pick([0.5, 10, 20, 99.99]) }),
      ...(random() < 0.3 && { max: pick([9.99, 49.99, 200]) }),
      ...(random() < 0.3 && { rating: pick([1, 2, 3, 4]) }),
      ...(random() < 0.3 && { inStock: true }),
      ...(random() < 0.4 && {
        characteristics: {
          Matière: [pick(MATERIALS), ...some(MATERIALS, 1)],
          ...(random() < 0.5 && { Taille: [pick(SIZES)] }),
        },
      }),
    };
    const query = queryOf(round === 0 ? {} : filters);
    const set = round === 0 ? {} : filters;
    const count = (own: (keyof Filters)[], further: Filters) => {
      const others = Object.fromEntries(
        Object.entries(set).filter(([name]) => !own.includes(name as keyof Filters)),
      );
      return matching(products, { ...others, ...further }).length;
    };
    const facets = await facetsFor(api, query);
    const expectCounts = (
      name: string,
      items: Map<unknown, number>,
      expected: Map<unknown, number>,
    ) =>
      expect(Object.fromEntries(items), `${name} of ?${query}`).toEqual(
        Object.fromEntries(expected),
      );
    expectCounts(
      "categories",
      found(facets.categories, ({ id }) => id),
      counted(allCategories, (category) => count(["category"], { category })),
    );
    expectCounts(
      "tags",
      found(facets.tags, ({ id }) => id),
      counted(allTags, (id) => count(["tags"], { tags: [id] })),
    );
    expectCounts(
      "types",
      found(facets.types, ({ value }) => value),
      counted(["physical", "digital"], (type) => count(["type"], { type })),
    );
    expectCounts(
      "ratings",
      found(facets.ratings, ({ min }) => min),
      counted([1, 2, 3, 4], (rating) => count(["rating"], { rating })),
    );
    expect(facets.availability, `availability of ?${query}`).toEqual([
      { value: "in_stock", count: count(["inStock"], { inStock: true }) },
    ]);
    for (const { min, max, count: n } of facets.prices)
      expect(n, `${min} to ${max} of ?${query}`).toBe(
        count(["min", "max"], { min, ...(max !== null && { max }) }),
      );
    const inRanges = facets.prices.reduce((sum, range) => sum + range.count, 0);
    expect(inRanges, `prices of ?${query}`).toBe(count(["min", "max"], {}));
    const offered = set.category === undefined ? ["Matière", "Taille"] : [];
    for (const name of Object.keys(set.characteristics ?? {})) offered.push(name);
    for (const name of new Set(offered)) {
      const { [name]: _, ...others } = set.characteristics ?? {};
      const values = facets.characteristics.find((group) => group.name === name)?.values ?? [];
      const known = new Set(
        products
          .flatMap((product) => product.characteristics)
          .filter((each) => each.name === name)
          .map(({ value }) => value),
      );
      expectCounts(
        name,
        found(values, ({ value }) => value),
        counted([...known], (value) =>
          count(["characteristics"], { characteristics: { ...others, [name]: [value] } }),
        ),
      );
    }
    expect(await totalFor(api, query), `list of ?${query}`).toBe(count([], {}));
  }
});

test("a list with further filters is sorted and paged like any other", async ({ api, arrange }) => {
  const { tags, ids } = await arrange(async (db) => {
    const tags = await Promise.all([createTag({ db }), createTag({ db })]);
    const category = await createCategory({ db });
    const ids: number[] = [];
    for (let i = 0; i < 7; i++) {
      const tag = tags[i % 2];
      const product = await createProduct({
        db,
        priceCents: 1000 + ((i * 37) % 70),
        defaultCategoryId: category.id,
        tagIds: tag ? [tag.id] : [],
      });
      ids.push(product.id);
    }
    return { tags, ids };
  });
  const query = `tags[]=${tags[0]?.id}&tags[]=/api/tags/${tags[1]?.id}&itemsPerPage=3`;
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      api.get<Collection<ProductJson>>(`/api/products?${query}&price_sort=desc&page=${page}`),
    ),
  );
  const listed = pages.flatMap(({ json }) => json["hydra:member"]);
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const prices = listed.map(({ price }) => price);
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  expect(pages[0]?.json["hydra:view"]?.["hydra:next"]).toContain("tags%5B%5D=");
  expect(pages.map(({ json }) => json["hydra:totalItems"])).toEqual([7, 7, 7]);
  // `tags.id` is one more value of the same group.
  const mixed = `tags.id=${tags[0]?.id}&tags[]=${tags[1]?.id}`;
  expect(await totalFor(api, mixed)).toBe(7);
});

test("counts of a search are those of its matches, also within typing errors", async ({ api }) => {
  for (const search of ["lampe", "voilon", "xqzwvkjhg"]) {
    const { types } = await facetsFor(api, `search=${search}`);
    const total = types.reduce((sum, { count }) => sum + count, 0);
    expect(total, search).toBe(await totalFor(api, `search=${search}`));
  }
});

test("staff choose the filters that a category offers", async ({ api, arrange, database }) => {
  const { token } = await newAdmin(database);
  const { id } = await arrange(async (db) => {
    const category = await createCategory({ db });
    for (const value of ["Grande", "Petite", "10 cm", "9 cm"])
      await createProduct({
        db,
        defaultCategoryId: category.id,
        characteristics: [
          { name: "Hauteur", value },
          { name: "Secret", value: "oui" },
        ],
      });
    return category;
  });
  const path = `/api/categories/${id}`;
  const groups = async () => (await facetsFor(api, `category=${id}`)).characteristics;
  expect(await groups()).toEqual([]);
  const saved = await api.put(path, { token, json: { filters: [" Hauteur ", "", "Hauteur"] } });
  expect(saved.json).toMatchObject({ filters: ["Hauteur"] });
  expect(await groups()).toEqual([
    {
      name: "Hauteur",
      values: ["9 cm", "10 cm", "Grande", "Petite"].map((value) => ({ value, count: 1 })),
    },
  ]);
  // A change of the name keeps them; visitors do not see the setting.
  await api.put(path, { token, json: { name: "Toises" } });
  expect((await api.get(path, { token })).json).toMatchObject({ filters: ["Hauteur"] });
  expect((await api.get(path)).json).not.toHaveProperty("filters");
  for (const filters of [Array.from({ length: 13 }, (_, i) => `F${i}`), [7], "x".repeat(201), null])
    expect(sentencesOf(await api.put(path, { token, json: { filters } }))).toHaveProperty(
      "filters",
    );
});

test("filters that make no sense, or too many, are refused", async ({ api }) => {
  const many = (count: number, name: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => name(i)).join("&");
  for (const query of [
    "min_rating=6",
    "min_rating=abc",
    "availability=sold_out",
    "tags[]=abc",
    "characteristics=Bois",
    "characteristics[]=Bois",
    "characteristics[Matière][]=\0",
    many(21, (i) => `tags[]=${i + 1}`),
    many(21, (i) => `characteristics[Matière][]=${i}`),
    many(11, (i) => `characteristics[N${i}][]=1`),
  ])
    for (const path of ["/api/products", "/api/product_facets"]) {
      const { status, json } = await api.get(`${path}?${encodeURI(query)}`);
      expect(status, query).toBe(400);
      expect(json, query).toHaveProperty("detail");
    }
  for (const query of [
    "min_rating=4,5",
    "characteristics[Toto][]=x",
    "availability=IN_STOCK",
    "tags[]=",
  ])
    expect((await api.get(`/api/product_facets?${encodeURI(query)}`)).status, query).toBe(200);
});
