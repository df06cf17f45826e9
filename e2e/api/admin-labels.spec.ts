import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { historyOf, newAdmin } from "../admin";
import { expect, test } from "../fixtures";
import { readWhole } from "../representation";

interface AdminLabel {
  "@id": string;
  id: number;
  name: string;
  color: string;
  products: { id: number; name: string }[];
  productsCount: number;
  defaultProductsCount?: number;
  version: number;
}

for (const [path, type] of [
  ["/api/categories", "Category"],
  ["/api/tags", "Tag"],
] as const)
  test(`${path}: staff add, change and delete one`, async ({ api, database, arrange }) => {
    const { token, id: adminId } = await newAdmin(database);
    const name = `Jardin ${adminId}`;
    const publicNames = async () =>
      (await readWhole<{ name: string }>({ api, path })).map((label) => label.name);
    await publicNames();
    const created = await api.post<AdminLabel>(path, { token, json: { name: ` ${name} ` } });
    expect(created.status, created.text).toBe(201);
    const { id } = created.json;
    expect(created.headers.location).toBe(`${path}/${id}`);
    const node = { "@context": `/api/contexts/${type}`, "@id": `${path}/${id}`, "@type": type };
    expect(created.json).toEqual({
      ...node,
      id,
      name,
      color: "#3b82f6",
      products: [],
      productsCount: 0,
      ...(type === "Category" && { defaultProductsCount: 0, filters: [] }),
      version: 1,
    });
    expect(await publicNames()).toContain(name);
    const changed = await api.put(`${path}/${id}`, { token, json: { color: "#ABCDEF" } });
    expect(changed.json).toMatchObject({ name, color: "#ABCDEF", version: 2 });

    // Only staff see its products.
    const labels = type === "Category" ? { categoryIds: [id] } : { tagIds: [id] };
    const products = await arrange(async (db) => [
      await createProduct({ db, ...labels }),
      await createProduct({ db, type: "digital", ...labels }),
    ]);
    const shown = {
      productsCount: 2,
      ...(type === "Category" && { defaultProductsCount: 2 }),
      products: products.map((product) => ({
        "@type": "LabelProduct",
        id: product.id,
        name: product.name,
      })),
    };
    expect((await api.get(`${path}/${id}`, { token })).json).toMatchObject(shown);
    const list = await api.get(`${path}?search=${encodeURIComponent(name)}`, { token });
    expect(list.json).toMatchObject({ "hydra:member": [shown] });
    const everybody = await api.get(`${path}/${id}`);
    expect(everybody.json).toEqual({ ...node, id, name, color: "#ABCDEF" });

    const remove =
      type === "Category" ? `/api/admin/categories/${id}/delete-with-products` : `${path}/${id}`;
    expect(await api.delete(remove, { token })).toMatchObject({ status: 204, text: "" });
    expect((await api.get(`${path}/${id}`)).status).toBe(404);
    expect(await publicNames()).not.toContain(name);
    const history = await historyOf({ api, token, entity: type, id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
    expect(history[1]).toMatchObject({
      user: { id: adminId, name: "Garnier", lastname: "Inès" },
      changes: [{ field: "color", before: "#3b82f6", after: "#ABCDEF" }],
    });
  });

test("a default category is deleted only with its products", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { category, other, own, guest, order } = await arrange(async (db) => {
    const category = await createCategory({ db, name: "Éphémère" });
    const other = await createCategory({ db });
    const own = await createProduct({ db, categoryIds: [category.id] });
    const guest = await createProduct({
      db,
      defaultCategoryId: other.id,
      categoryIds: [other.id, category.id],
    });
    const user = await createUser({ db });
    const { order } = await createOrder({ db, user, items: [{ product: own, quantity: 2 }] });
    return { category, other, own, guest, order };
  });
  const path = `/api/categories/${category.id}`;
  expect((await api.get(`/api/products/${own.id}`)).status).toBe(200);
  const refused = await api.delete<{ error: string }>(path, { token });
  expect(refused.status).toBe(409);
  expect(refused.json.error).toContain("catégorie par défaut d'un produit");
  const read = await api.get<AdminLabel>(path, { token });
  expect(read.json).toMatchObject({ defaultProductsCount: 1, productsCount: 2 });

  const deletePath = `/api/admin/categories/${category.id}/delete-with-products`;
  const gone = await api.delete(deletePath, { token });
  expect([gone.status, gone.text]).toEqual([204, ""]);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.get(`/api/products/${own.id}`)).status).toBe(404);
  const stays = await api.get<{ categories: { id: number }[] }>(`/api/products/${guest.id}`);
  expect(stays.json.categories.map(({ id }) => id)).toEqual([other.id]);
  expect((await api.delete(deletePath, { token })).status).toBe(404);

  const rows = await database.execute<{ name: string; product_id: number | null }>(
    `select name, product_id from order_lines where order_id = ${order.id}`,
  );
  expect(rows).toEqual([{ name: own.name, product_id: null }]);
  const [entry] = await historyOf({ api, token, entity: "Product", id: own.id });
  expect(entry).toMatchObject({ action: "delete" });
  const [deletion] = await historyOf({ api, token, entity: "Category", id: category.id });
  expect(deletion?.changes).toContainEqual({ field: "deletedProducts", before: 1, after: null });
});

test("a history has pages; that of an unknown entity is 404", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const tag = await createTag({ db: database });
  for (const name of ["Un", "Deux"]) {
    const json = { name: `${tag.name} ${name}`, color: "#112233" };
    expect((await api.put(`/api/tags/${tag.id}`, { token, json })).status).toBe(200);
  }
  const path = `/api/admin/history/Tag/${tag.id}`;
  const page = async (query: string) => {
    const { status, json, headers } = await api.get<unknown[]>(`${path}?${query}`, { token });
    return [status, json.length, headers["x-total-count"]];
  };
  expect(await page("page=1&itemsPerPage=1")).toEqual([200, 1, "2"]);
  expect(await page("page=3&itemsPerPage=1")).toEqual([200, 0, "2"]);
  expect(await page("page=1000000")).toEqual([200, 0, "2"]);
  for (const unknown of ["Nothing/1", "Product/abc", "product/1", "__proto__/1"])
    expect((await api.get(`/api/admin/history/${unknown}`, { token })).status, unknown).toBe(404);
  expect(await historyOf({ api, token, entity: "Cart", id: 2_000_000_000 })).toEqual([]);
});

test("deleting a category in use leaves no orphans", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { id } = await createCategory({ db: database });
  const product = (index: number) => ({
    name: `Course ${index}`,
    price: 1,
    description: "Une description.",
    defaultCategory: id,
  });
  const [deletion, ...creations] = await Promise.all([
    api.delete(`/api/categories/${id}`, { token }),
    ...Array.from({ length: 4 }, (_, index) =>
      api.post("/api/physical_products", { token, json: product(index) }),
    ),
  ]);
  const rows = await database.execute<{ products: number; categories: number }>(
    `select (select count(*)::int from products where default_category_id = ${id}) as products,
      (select count(*)::int from categories where id = ${id}) as categories`,
  );
  const made = creations.filter(({ status }) => status === 201).length;
  expect(rows).toEqual([{ products: made, categories: deletion.status === 204 ? 0 : 1 }]);
  if (deletion.status === 204) expect(made).toBe(0);
  for (const { status } of creations) expect([201, 409, 422]).toContain(status);
});
