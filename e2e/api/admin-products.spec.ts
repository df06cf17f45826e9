import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { tokenOf } from "../accounts";
import { historyOf, linesOfCsv, newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";

type AdminProduct = ProductJson & { downloadLink: string | null; version: number };

// admin-lists.spec.ts tests the sentences of all fields.

const PHYSICAL = "/api/physical_products";
const DIGITAL = "/api/digital_products";
const SIZE_REQUIRED = "Veuillez renseigner une taille de fichier valide pour un produit digital.";

async function labels(db: Database) {
  const category = await createCategory({ db });
  const other = await createCategory({ db });
  const tag = await createTag({ db });
  return { category, other, tag };
}

const lamp = (categoryId: number) => ({
  name: "Lampe",
  price: 42.9,
  description: "Une lampe.\nElle éclaire.",
  defaultCategory: `/api/categories/${categoryId}`,
});

test("an administrator creates a physical product", async ({ api, database }) => {
  const { token, id: adminId } = await newAdmin(database);
  const { category, other, tag } = await labels(database);
  const created = await api.post<AdminProduct>(PHYSICAL, {
    token,
    json: {
      ...lamp(category.id),
      image: "lampe.webp",
      categories: [`/api/categories/${category.id}`, String(other.id), other.id],
      tags: [`/api/tags/${tag.id}`],
      product_type: "physical",
      weight: "1200",
      characteristics: { Poids: "1,2 kg", Couleur: "Noir", Vide: "", "": "sans nom" },
    },
  });
  expect(created.status, created.text).toBe(201);
  const { id, createdAt } = created.json;
  expect(created.headers.location).toBe(`/api/products/${id}`);
  const label = (type: string, path: string, row: typeof tag) => {
    const { id, name, color } = row;
    return { "@id": `${path}/${id}`, "@type": type, id, name, color };
  };
  expect(created.json).toEqual({
    "@context": "/api/contexts/PhysicalProduct",
    "@id": `/api/products/${id}`,
    "@type": "PhysicalProduct",
    id,
    productType: "physical",
    name: "Lampe",
    description: "Une lampe.\nElle éclaire.",
    price: 42.9,
    vatRate: 20,
    image: "lampe.webp",
    images: [{ url: "lampe.webp", alt: "" }],
    sku: null,
    gtin: null,
    brand: null,
    status: "active",
    defaultCategory: label("Category", "/api/categories", category),
    categoryId: category.id,
    categories: [
      label("Category", "/api/categories", category),
      label("Category", "/api/categories", other),
    ],
    tags: [label("Tag", "/api/tags", tag)],
    characteristics: { Poids: "1,2 kg", Couleur: "Noir" },
    filesize: null,
    filetype: null,
    availability: "unlimited",
    stock: null,
    lowStockThreshold: null,
    avgRating: null,
    reviewsCount: 0,
    sales_count: 0,
    createdAt,
    downloadLink: null,
    weight: 1200,
    version: 1,
  });
  expect(Date.now() - Date.parse(String(createdAt))).toBeLessThan(60_000);
  // The public sees the product at once, without the administrators' fields.
  const shown = await api.get(`/api/products/${id}`);
  expect(shown.json).toMatchObject({ id, name: "Lampe", price: 42.9 });
  expect(shown.json).not.toHaveProperty("version");
  const [entry] = await historyOf({ api, token, entity: "Product", id });
  expect(entry).toMatchObject({ action: "create", user: { id: adminId } });
});

test("a digital product's link is never seen by the public", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { category } = await labels(database);
  const link = "https://exemple.fr/secret-file.pdf";
  const created = await api.post<AdminProduct>(DIGITAL, {
    token,
    json: {
      ...lamp(category.id),
      price: "9,99",
      vatRate: 5.5,
      product_type: "digital",
      downloadLink: link,
      filesize: 2400,
      filetype: "PDF",
    },
  });
  expect(created.status, created.text).toBe(201);
  const { id } = created.json;
  expect(created.json).toMatchObject({
    "@id": `/api/products/${id}`,
    "@type": "DigitalProduct",
    price: 9.99,
    vatRate: 5.5,
    downloadLink: link,
    filesize: 2400,
    filetype: "PDF",
    characteristics: null,
  });
  const customer = await tokenOf(await createUser({ db: database }));
  const list = `/api/products?category=${category.id}`;
  for (const path of [`/api/products/${id}`, list, `/product/${id}`, "/api/home"])
    for (const caller of [undefined, customer, "abc.def.ghi"]) {
      const answer = await api.get(path, caller === undefined ? {} : { token: caller });
      expect(answer.text, path).not.toContain("secret-file");
      expect(answer.text, path).not.toContain("downloadLink");
    }
  // In either order, no caller gets the other's response.
  for (const path of [`/api/products/${id}`, list]) {
    const mine = await api.get(path, { token });
    expect(mine.text, path).toContain("secret-file");
    expect(mine.headers["cache-control"]).toBe("private, no-store");
    expect(mine.headers.etag).toBeUndefined();
    const everybody = await api.get(path);
    expect(everybody.text, path).not.toContain("secret-file");
    expect(everybody.headers["cache-control"]).toBe("public, no-cache");
    const known = { "If-None-Match": String(everybody.headers.etag) };
    expect((await api.get(path, { headers: known })).status).toBe(304);
    expect((await api.get(path, { token, headers: known })).status).toBe(200);
  }
});

test("a change or deletion is public immediately", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { product, tag, other } = await arrange(async (db) => {
    const { category, other, tag } = await labels(db);
    const product = await createProduct({
      db,
      name: `Vieux nom ${category.id}`,
      categoryIds: [category.id, other.id],
      tagIds: [tag.id],
    });
    const user = await createUser({ db });
    await createOrder({ db, user, items: [{ product, quantity: 2 }] });
    await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
    await createReview({ db, userId: user.id, productId: product.id });
    return { product, tag, other };
  });
  const { id } = product;
  const read = async () => ({
    page: await api.get(`/product/${id}`),
    list: (await api.get(`/products?category=${other.id}`)).text,
  });
  const save = (json: object) => api.put(`${PHYSICAL}/${id}`, { token, json });
  const before = await read();
  expect(before.page.text).toContain(product.name);
  expect(before.list).toContain(product.name);
  const name = `Nouveau nom ${id}`;
  const changed = await save({ name, price: 0 });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.json).toMatchObject({
    name,
    price: 0,
    description: product.description,
    characteristics: { Matière: "Bois de hêtre" },
    tags: [{ id: tag.id }],
    version: 2,
  });
  const after = await read();
  for (const text of [after.page.text, after.list]) {
    expect(text).toContain(name);
    expect(text).not.toContain(product.name);
  }
  const [entry] = await historyOf({ api, token, entity: "Product", id });
  expect(entry?.changes).toEqual([
    { field: "name", before: product.name, after: name },
    { field: "price", before: 19.9, after: 0 },
  ]);
  const emptied = { categories: [], tags: [], image: null, characteristics: {} };
  expect((await save({ ...emptied, image: "" })).json).toMatchObject(emptied);
  expect((await read()).list).not.toContain(name);

  const deleted = await api.delete(`/api/products/${id}`, { token });
  expect(deleted).toMatchObject({ status: 204, text: "" });
  expect((await read()).page.status).toBe(404);
  expect((await api.get(`/api/products/${id}`)).status).toBe(404);
});

test("sent to the other type's endpoint a product is converted", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const product = await createProduct({ db: database });
  const digital = `${DIGITAL}/${product.id}`;
  expect((await api.get(digital, { token })).status).toBe(404);
  expect(sentencesOf(await api.put(digital, { token, json: { filetype: "PDF" } }))).toEqual({
    filesize: SIZE_REQUIRED,
  });
  const file = { filesize: 12, filetype: "PDF", downloadLink: "/downloads/guide.pdf" };
  const converted = await api.put<AdminProduct>(digital, { token, json: file });
  expect(converted.json).toMatchObject({
    "@type": "DigitalProduct",
    "@id": `/api/products/${product.id}`,
    name: product.name,
    characteristics: null,
    ...file,
  });
  expect((await api.get(digital, { token })).status).toBe(200);
  expect((await api.get(`${PHYSICAL}/${product.id}`, { token })).status).toBe(404);
});

test("at /api/products one has the kind that is sent, and keeps it", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { category } = await labels(database);
  const create = (json: object) =>
    api.post<AdminProduct>("/api/products", { token, json: { ...lamp(category.id), ...json } });
  const file = await create({ productType: "digital", filesize: 12, weight: 12, stock: 3 });
  expect(file.json).toMatchObject({
    "@type": "DigitalProduct",
    filesize: 12,
    weight: null,
    stock: null,
    characteristics: null,
  });
  for (const [json, sentence] of [
    [{}, "Ce champ est obligatoire."],
    [{ "@type": "Product" }, "Ce champ est obligatoire."],
    [
      { productType: "both" },
      "Cette valeur n'est pas permise. Valeurs permises : physical, digital.",
    ],
  ] as const)
    expect(sentencesOf(await create(json))).toEqual({ productType: sentence });
  for (const [key, kind] of [
    ["productType", "physical"],
    ["product_type", "physical"],
    ["@type", "PhysicalProduct"],
  ] as const) {
    const { json } = await create({ [key]: kind, filetype: "PDF", weight: 12 });
    expect(json).toMatchObject({ "@type": "PhysicalProduct", weight: 12, filetype: null });
  }

  const { id, name } = await createProduct({ db: database });
  const put = async (json: object) =>
    (await api.put<AdminProduct>(`/api/products/${id}`, { token, json })).json;
  const physical = { "@type": "PhysicalProduct", filesize: null, filetype: null };
  const priced = await put({ price: "12,50", filesize: 9, filetype: "PDF" });
  expect(priced).toMatchObject({ ...physical, name, price: 12.5 });
  // A client that sends back what it has read also sends the former kind.
  const digital = { "@type": "DigitalProduct", filesize: 9, characteristics: null };
  const converted = await put({ ...priced, productType: "digital", filesize: 9 });
  expect(converted).toMatchObject(digital);
  expect(await put({ ...converted, name: "Guide" })).toMatchObject({ ...digital, name: "Guide" });
  expect(await put({ "@type": "PhysicalProduct" })).toMatchObject(physical);
});

test("only a stored download link may be unusable for buyers", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const downloadLink = "/2026/guide.pdf";
  const product = await createProduct({ db: database, type: "digital", downloadLink });
  const save = (json: object) =>
    api.put<AdminProduct>(`${DIGITAL}/${product.id}`, { token, json: { ...json, price: 5 } });
  expect((await save({ downloadLink })).json).toMatchObject({ price: 5, downloadLink });
  expect(sentencesOf(await save({ downloadLink: "/2025/guide.pdf" }))).toEqual({
    downloadLink:
      "Ce lien doit être une adresse http(s), un chemin /downloads/… ou un nom de fichier.",
  });
  for (const link of ["/downloads/2026/guide.pdf", "Guide n° 2.pdf", "https://exemple.fr/a b"])
    expect((await save({ downloadLink: link })).json.downloadLink).toBe(link);
  expect((await save({ downloadLink: "" })).json.downloadLink).toBeNull();
});

test("a searched number matches an id within filters", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { category, other, lamp } = await arrange(async (db) => {
    const { category, other } = await labels(db);
    const products = { db, defaultCategoryId: category.id, image: null };
    const lamp = await createProduct({ ...products, name: "Lampe", priceCents: 400 });
    const text = `Série ${lamp.id}`;
    for (const [name, priceCents, createdAt] of [
      ["B", 300, new Date("2020-01-01")],
      ["A", 100, null],
      ["C", 300, new Date("2021-01-01")],
    ] as const)
      await createProduct({ ...products, name: `${text} ${name}`, priceCents, createdAt });
    return { category, other, lamp };
  });
  const read = async (path: string) => {
    const answer = await api.get<Collection<AdminProduct>>(path, { token });
    expect(answer.status, answer.text).toBe(200);
    const names = answer.json["hydra:member"].map(({ name }) => name);
    const [, ...lines] = linesOfCsv(await api.get(path, { token, accept: "text/csv" }));
    expect(
      lines.map(([, name]) => name),
      path,
    ).toEqual(names);
    return names.map((name) => name.at(-1)).join("");
  };
  expect(await read(`${PHYSICAL}?category=${category.id}&search=${lamp.id}`)).toBe("eBAC");
  for (const path of [
    `${DIGITAL}?category=${category.id}`,
    `/api/products?category=${category.id}&type=digital`,
    `/api/products?category=${category.id}&max_price=0.5`,
    `/api/products?category=${other.id}`,
  ])
    expect(await read(`${path}&search=${lamp.id}`), path).toBe("");
  for (const filter of [`search=${lamp.id}`, "withoutImage=true"]) {
    const sorted = (sort: string) =>
      read(`/api/products?category=${category.id}&${filter}&${sort}`);
    expect(await sorted("price_sort=asc")).toBe("ABCe");
    expect(await sorted("price_sort=desc")).toBe("eCBA");
    // A product without a date counts as the newest.
    expect(await sorted("date_sort=oldest")).toBe("BCeA");
    expect(await sorted("date_sort=newest")).toBe("AeCB");
    expect(await sorted("price_sort=asc&date_sort=newest")).toBe("ACBe");
    expect(await sorted("price_sort=asc&order[id]=desc")).toBe("CABe");
  }
});
