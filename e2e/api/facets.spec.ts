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
  for (const id of tags ?? []) query.append(tags?.length === 1 ? "tags.id" : "tags[]", String(id));
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

/** The ids of the list's pages, the dearest product first. */
async function listFor(api: Api, query: string): Promise<number[]> {
  const ids: number[] = [];
  let next: string | undefined = `/api/products?${query}&price_sort=desc&itemsPerPage=40`;
  while (next) {
    const { json }: { json: Collection<ProductJson> } = await api.get(next);
    ids.push(...json["hydra:member"].map(({ id }) => id));
    next = json["hydra:view"]?.["hydra:next"];
  }
  return ids;
}

/** The number of products for each of some values; values without products are in no answer. */
const counted = <Value>(values: Iterable<Value>, count: (value: Value) => number) =>
  withoutZeros([...values].map((value) => [value, count(value)]));

const found = <Item extends { count: number }>(
  items: readonly Item[] = [],
  key: (item: Item) => unknown,
) => withoutZeros(items.map((item) => [key(item), item.count]));

const withoutZeros = (counts: [value: unknown, count: number][]) =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));

test("every count and every list is that of a loop over all products", async ({ shopWith }) => {
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
  const valuesOf = <Value>(of: (product: Product) => Value[]) => new Set(products.flatMap(of));

  for (let round = 0; round < 40; round++) {
    const filters: Filters =
      round === 0
        ? {}
        : {
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
    const query = queryOf(filters);
    /** The matches if these filters were set instead of the group's own. */
    const count = (own: (keyof Filters)[], further: Filters) => {
      const others = Object.entries(filters).filter(
        ([name]) => !own.includes(name as keyof Filters),
      );
      return matching(products, { ...Object.fromEntries(others), ...further }).length;
    };
    const facets = await facetsFor(api, query);
    expect(
      {
        categories: found(facets.categories, ({ id }) => id),
        tags: found(facets.tags, ({ id }) => id),
        types: found(facets.types, ({ value }) => value),
        ratings: found(facets.ratings, ({ min }) => min),
        availability: facets.availability,
        prices: facets.prices,
        pricesSum: facets.prices.reduce((sum, range) => sum + range.count, 0),
        total: await totalFor(api, query),
      },
      `?${query}`,
    ).toEqual({
      categories: counted(
        valuesOf((product) => product.categories),
        (category) => count(["category"], { category }),
      ),
      tags: counted(
        valuesOf((product) => product.tags),
        (id) => count(["tags"], { tags: [id] }),
      ),
      types: counted(["physical", "digital"], (type) => count(["type"], { type })),
      ratings: counted([1, 2, 3, 4], (rating) => count(["rating"], { rating })),
      availability: [{ value: "in_stock", count: count(["inStock"], { inStock: true }) }],
      prices: facets.prices.map(({ min, max }) => ({
        min,
        max,
        count: count(["min", "max"], { min, ...(max !== null && { max }) }),
      })),
      pricesSum: count(["min", "max"], {}),
      total: count([], {}),
    });
    const dearest = matching(products, filters).toSorted(
      (a, b) => b.cents - a.cents || b.id - a.id,
    );
    expect(await listFor(api, query), `list of ?${query}`).toEqual(dearest.map(({ id }) => id));
    const offered = filters.category === undefined ? ["Matière", "Taille"] : [];
    for (const name of new Set([...offered, ...Object.keys(filters.characteristics ?? {})])) {
      const { [name]: _, ...others } = filters.characteristics ?? {};
      const known = valuesOf((product) =>
        product.characteristics.filter((each) => each.name === name).map(({ value }) => value),
      );
      const values = facets.characteristics.find((group) => group.name === name)?.values;
      expect(
        found(values, ({ value }) => value),
        `${name} of ?${query}`,
      ).toEqual(
        counted(known, (value) =>
          count(["characteristics"], { characteristics: { ...others, [name]: [value] } }),
        ),
      );
    }
  }
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
  const statusOf = async (path: string) => (await api.get(encodeURI(path))).status;
  for (const query of [
    ...["min_rating=6", "min_rating=abc", "availability=sold_out", "tags[]=abc"],
    ...["characteristics=Bois", "characteristics[]=Bois", "characteristics[Matière][]=\0"],
    many(21, (i) => `tags[]=${i + 1}`),
    many(21, (i) => `characteristics[Matière][]=${i}`),
    many(11, (i) => `characteristics[N${i}][]=1`),
  ])
    for (const path of ["/api/products", "/api/product_facets"])
      expect(await statusOf(`${path}?${query}`), query).toBe(400);
  for (const query of ["min_rating=4,5", "characteristics[Toto][]=x", "availability=IN_STOCK"])
    expect(await statusOf(`/api/product_facets?${query}`), query).toBe(200);
});
