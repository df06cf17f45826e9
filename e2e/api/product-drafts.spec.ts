import { eq, sql } from "drizzle-orm";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { tokenOf } from "../accounts";
import { linesOfCsv, newAdmin } from "../admin";
import { addToCart, createBuyer } from "../buying";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";

// A draft is unknown to everybody but staff, from the moment at which it becomes one.

test("a draft disappears everywhere, and comes back", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const name = "Brouillonnet";
  const { product, category, tag, rest } = await arrange(async (db) => {
    const category = await createCategory({ db });
    const tag = await createTag({ db });
    const labels = { db, categoryIds: [category.id], tagIds: [tag.id] };
    const product = await createProduct({ ...labels, name, salesCount: 9_000_000, priceCents: 0 });
    const user = await createUser({ db });
    await createReview({ db, productId: product.id, userId: user.id });
    return { product, category, tag, rest: await createProduct(labels) };
  });
  const { id } = product;
  const ids = async (path: string, as: object = {}) => {
    const answer = await api.get<Collection<{ id: number }>>(path, as);
    expect(answer.status, `${path} ${answer.text}`).toBe(200);
    return answer.json["hydra:member"].map((member) => member.id);
  };
  const lists = [
    `/api/products?category=${category.id}`,
    `/api/products?category=${category.id}&price_sort=desc`,
    `/api/products?category=${category.id}&tags.id=${tag.id}&type=physical`,
    `/api/products?tags.id=${tag.id}&date_sort=newest`,
    `/api/products?search=${name}`,
    `/api/products?search=${name}&category=${category.id}&price_sort=asc`,
    `/api/products?search=${name.slice(0, -1)}`,
  ];
  const pages = [`/api/products/${id}`, `/product/${id}`, `/og/product/${id}`];
  const expectShown = async (isShown: boolean) => {
    for (const path of lists) expect((await ids(path)).includes(id), path).toBe(isShown);
    for (const path of pages)
      expect((await api.get(path, { accept: "*/*" })).status, path).toBe(isShown ? 200 : 404);
    expect(await ids(`/api/reviews?product=${id}`)).toHaveLength(isShown ? 1 : 0);
    for (const [path, part] of [
      ["/api/home", name],
      [`/api/home?recent[]=${id}&recent[]=${rest.id}`, `"id":${id},`],
      [`/products?category=${category.id}`, name],
      [`/sitemap.xml?part=${Math.ceil(id / 25_000)}`, `/product/${id}<`],
      ["/feed.xml", name],
    ] as const) {
      const { status, text } = await api.get(path);
      expect([status, text.includes(part)], path).toEqual([200, isShown]);
    }
    // Neither as a product nor as a similar word.
    const suggested = (await api.get(`/api/suggestions?q=${name.slice(0, 9)}`)).text;
    expect(suggested.toLowerCase().includes(name.toLowerCase())).toBe(isShown);
    const { json } = await api.get(`/api/categories/${category.id}`, { token });
    expect(json).toMatchObject({ productsCount: isShown ? 2 : 1, defaultProductsCount: 2 });
  };
  const set = async (status: string) => {
    const answer = await api.put(`/api/products/${id}`, { token, json: { status } });
    expect(answer.status, answer.text).toBe(200);
  };
  await expectShown(true);
  await set("draft");
  await expectShown(false);

  // Staff see it in every list, with every filter and sort.
  for (const path of [
    ...lists.map((list) => list.replace(name.slice(0, -1), name)),
    `/api/products?category=${category.id}&order[name]=asc`,
    `/api/products?search=${name}&order[price]=asc`,
    `/api/products?category=${category.id}&status=draft`,
    `/api/products?search=${name}&status=draft&price_sort=asc`,
    `/api/physical_products?category=${category.id}&status=draft&order[id]=desc`,
  ])
    expect(await ids(path, { token }), path).toContain(id);
  expect(await ids(`/api/products?category=${category.id}&status=active`, { token })).toEqual([
    rest.id,
  ]);
  expect((await api.get(`/api/products/${id}`, { token })).json).toMatchObject({ status: "draft" });
  const table = linesOfCsv(
    await api.get(`/api/products?category=${category.id}&status=draft`, {
      token,
      accept: "text/csv",
    }),
  );
  expect(table.slice(1).map((line) => [line[1], line[table[0]?.indexOf("Statut") ?? -1]])).toEqual([
    [name, "Brouillon"],
  ]);
  // The public's parameter of this name means nothing.
  expect(await ids(`/api/products?category=${category.id}&status=draft`)).toEqual([rest.id]);

  await set("active");
  await expectShown(true);
});

test("a product is added as a draft, changed, and then published", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const category = await createCategory({ db: database });
  const other = await createCategory({ db: database });
  const tag = await createTag({ db: database });
  const { json: draft } = await api.post<ProductJson>("/api/physical_products", {
    token,
    json: {
      name: "Lampe",
      price: 10,
      description: "Une lampe.",
      defaultCategory: category.id,
      categories: [category.id],
      tags: [tag.id],
      status: "draft",
    },
  });
  const isListed = async (query: string) =>
    (await api.get<Collection<{ id: number }>>(`/api/products?${query}`)).json["hydra:member"].some(
      ({ id }) => id === draft.id,
    );
  const put = async (json: object) =>
    expect((await api.put(`/api/products/${draft.id}`, { token, json })).status).toBe(200);
  await put({ categories: [other.id], price: 20 });
  expect((await api.get(`/api/products/${draft.id}`)).status).toBe(404);
  // Everything changes in one write.
  await put({ status: "active", defaultCategory: other.id, categories: [], tags: [], price: 30 });
  expect(await isListed(`category=${category.id}`)).toBe(false);
  expect(await isListed(`tags.id=${tag.id}`)).toBe(false);
  expect(await isListed(`category=${other.id}&min_price=30`)).toBe(true);
  const rows = await database.execute<{ kind: number; facet_id: number }>(
    sql`select kind, facet_id from product_listings where product_id = ${draft.id} order by kind`,
  );
  expect(rows).toEqual([
    { kind: 0, facet_id: 0 },
    { kind: 1, facet_id: other.id },
  ]);
});

test("a draft cannot be put into a cart, bought or reviewed", async ({ api, database: db }) => {
  const buyer = await createBuyer(db);
  const { token, addressId } = buyer;
  const addresses = { shippingAddressId: addressId, billingAddressId: addressId };
  const product = await createProduct({ db, stock: 5 });
  await addToCart({ api, buyer, productId: product.id });
  const set = (status: "active" | "draft") =>
    db.update(products).set({ status }).where(eq(products.id, product.id));
  await set("draft");

  const post = (path: string, json: object, as = token) => api.post(path, { token: as, json });
  interface Line {
    id: number;
    available: boolean;
    product: { id: number | null; name: string };
  }
  const cart = async () =>
    (await api.get<{ items: Line[]; total: number }>("/api/cart", { token })).json;
  const line = { available: false, product: { id: null, name: product.name } };
  const before = await cart();
  expect(before).toMatchObject({ items: [line], total: 0 });
  const more = { token, json: { quantity: 2 } };
  const reader = await createUser({ db });
  await createOrder({ db, user: reader, items: [{ product }] });
  const review = { product: product.id, content: "Très bel objet.", rating: 5 };
  for (const [answer, status] of [
    [await post("/api/cart/add", { productId: product.id, quantity: 1 }), 404],
    [await api.put(`/api/cart/item/${before.items[0]?.id}`, more), 409],
    [await post("/api/cart/payment-intent", addresses), 409],
    [await post("/api/reviews_create", review, await tokenOf(reader)), 404],
  ] as const)
    expect(answer.status, answer.text).toBe(status);

  await set("active");
  expect(await cart()).toMatchObject({ items: [{ available: true }], total: 19.9 });
});

test("a category is deleted with its drafts", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const category = await createCategory({ db });
  const [draft, labelled] = [
    await createProduct({ db, categoryIds: [category.id], status: "draft" }),
    await createProduct({ db, status: "draft" }),
  ];
  expect((await api.delete(`/api/categories/${category.id}`, { token })).status).toBe(409);
  await api.put(`/api/products/${labelled.id}`, { token, json: { categories: [category.id] } });
  const path = `/api/admin/categories/${category.id}/delete-with-products`;
  expect((await api.delete(path, { token })).status).toBe(204);
  expect((await api.get(`/api/products/${draft.id}`, { token })).status).toBe(404);
  const kept = await api.get<ProductJson>(`/api/products/${labelled.id}`, { token });
  expect(kept.json.categories).toEqual([]);
});
