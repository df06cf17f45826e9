import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import { type Collection, readWhole } from "../representation";

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

const REQUIRED = "Ce champ est obligatoire.";

const kinds = [
  { path: "/api/categories", type: "Category", create: createCategory },
  { path: "/api/tags", type: "Tag", create: createTag },
] as const;

for (const { path, type, create } of kinds)
  test.describe(path, () => {
    test("staff create, change and delete one, for everybody", async ({ api, database }) => {
      const { token, id: adminId } = await newAdmin(database);
      const name = `Jardin ${adminId}`;
      const publicNames = async () =>
        (await readWhole<{ name: string }>({ api, path })).map((label) => label.name);
      await publicNames();
      const created = await api.post<AdminLabel>(path, { token, json: { name: ` ${name} ` } });
      expect(created.status, created.text).toBe(201);
      const { id } = created.json;
      expect(created.headers.location).toBe(`${path}/${id}`);
      expect(created.json).toEqual({
        "@context": `/api/contexts/${type}`,
        "@id": `${path}/${id}`,
        "@type": type,
        id,
        name,
        color: "#3b82f6",
        products: [],
        productsCount: 0,
        ...(type === "Category" && { defaultProductsCount: 0, filters: [] }),
        version: 1,
      });
      expect(await publicNames()).toContain(name);

      const changed = await api.put<AdminLabel>(`${path}/${id}`, {
        token,
        json: { color: "#ABCDEF" },
      });
      expect(changed.status).toBe(200);
      expect(changed.json).toMatchObject({ name, color: "#ABCDEF", version: 2 });
      const shown = await api.get(`${path}/${id}`, { accept: "application/json" });
      expect(shown.json).toEqual({ id, name, color: "#ABCDEF" });

      const deleted = await api.delete(`${path}/${id}`, { token });
      expect([deleted.status, deleted.text]).toEqual([204, ""]);
      expect((await api.get(`${path}/${id}`)).status).toBe(404);
      expect(await publicNames()).not.toContain(name);

      const history = await historyOf({ api, token, entity: type, id });
      expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
      expect(history[1]).toMatchObject({
        user: { id: adminId, name: "Garnier", lastname: "Inès" },
        changes: [{ field: "color", before: "#3b82f6", after: "#ABCDEF" }],
      });
    });

    test("only staff see the number of products", async ({ api, database, arrange }) => {
      const { token } = await newAdmin(database);
      const { label, products } = await arrange(async (db) => {
        const label = await create({ db, name: `Lot ${Date.now()}` });
        const labels = type === "Category" ? { categoryIds: [label.id] } : { tagIds: [label.id] };
        const products = [
          await createProduct({ db, ...labels }),
          await createProduct({ db, type: "digital", ...labels }),
        ];
        return { label, products };
      });
      const named = products.map(({ id, name }) => ({ id, name }));
      const item = await api.get<AdminLabel>(`${path}/${label.id}`, {
        token,
        accept: "application/json",
      });
      expect(item.json).toMatchObject({ products: named, productsCount: 2 });
      if (type === "Category") expect(item.json.defaultProductsCount).toBe(2);
      const list = await api.get<Collection<AdminLabel>>(
        `${path}?search=${encodeURIComponent(label.name)}&order[id]=desc`,
        { token },
      );
      expect(list.json["hydra:totalItems"]).toBe(1);
      expect(list.json["hydra:member"][0]).toMatchObject({
        "@id": `${path}/${label.id}`,
        products: named.map((product) => ({ "@type": "LabelProduct", ...product })),
        version: 1,
      });
      expect(list.headers["cache-control"]).toBe("private, no-store");
      const everybody = await api.get(`${path}/${label.id}`);
      expect(everybody.json).toEqual({
        "@context": `/api/contexts/${type}`,
        "@id": `${path}/${label.id}`,
        "@type": type,
        id: label.id,
        name: label.name,
        color: label.color,
      });
    });

    test("is in French alphabetical order, for everybody", async ({ api, database, arrange }) => {
      const { token } = await newAdmin(database);
      const stamp = `${Date.now()}`;
      await arrange(async (db) => {
        for (const name of ["zèbre", "Élan", "abricot", "Zoo", "éclair", "Abeille"])
          await create({ db, name: `${name} ${stamp}` });
      });
      const wanted = ["Abeille", "abricot", "éclair", "Élan", "zèbre", "Zoo"];
      for (const asked of [{ token }, {}]) {
        const own: string[] = [];
        for (let page = 1; page < 9; page++) {
          const answer = await api.get<{ name: string }[]>(
            `${path}?order[name]=asc&itemsPerPage=100&page=${page}`,
            { ...asked, accept: "application/json" },
          );
          for (const { name } of answer.json)
            if (name.endsWith(stamp)) own.push(name.split(" ")[0] ?? "");
        }
        expect(own).toEqual(wanted);
      }
    });

    test("missing or invalid fields have their messages", async ({ api, database }) => {
      const { token } = await newAdmin(database);
      for (const json of [{}, { name: "  " }, { name: null }])
        expect(sentencesOf(await api.post(path, { token, json }))).toEqual({ name: REQUIRED });
      for (const color of ["red", "#12345g", "#1234567", ""])
        expect(
          sentencesOf(await api.post(path, { token, json: { name: "A", color } })),
          color,
        ).toEqual({ color: "La couleur doit être de la forme #rrggbb." });
      const { id } = await create({ db: database });
      expect(sentencesOf(await api.put(`${path}/${id}`, { token, json: { name: " " } }))).toEqual({
        name: REQUIRED,
      });
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

test("a history is read page by page, and is empty beyond its end", async ({ api, database }) => {
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
