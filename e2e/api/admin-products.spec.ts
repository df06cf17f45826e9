import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { tokenOf } from "../accounts";
import { historyOf, linesOfCsv, newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";

type AdminProduct = ProductJson & { downloadLink: string | null; version: number };

const PHYSICAL = "/api/physical_products";
const DIGITAL = "/api/digital_products";
const REQUIRED = "Ce champ est obligatoire.";
const CATEGORY_REQUIRED = "Veuillez sélectionner une catégorie par défaut.";
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
  const label = (type: string, path: string, row: { id: number; name: string; color: string }) => ({
    "@id": `${path}/${row.id}`,
    "@type": type,
    id: row.id,
    name: row.name,
    color: row.color,
  });
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
  const shown = await api.get<ProductJson>(`/api/products/${id}`, { accept: "application/json" });
  expect(shown.json).toMatchObject({ id, name: "Lampe", price: 42.9 });
  expect(Object.keys(shown.json)).not.toContain("version");
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

test("missing or invalid fields have their messages", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { category } = await labels(database);
  expect(sentencesOf(await api.post(PHYSICAL, { token, json: {} }))).toEqual({
    name: REQUIRED,
    price: REQUIRED,
    description: REQUIRED,
    defaultCategory: CATEGORY_REQUIRED,
  });
  expect(sentencesOf(await api.post(DIGITAL, { token, json: lamp(category.id) }))).toEqual({
    filesize: SIZE_REQUIRED,
  });
  const wrong: [path: string, field: string, values: unknown[], sentence: string][] = [
    [DIGITAL, "filesize", [0, "", "abc", 1.5, 3e9], SIZE_REQUIRED],
    [PHYSICAL, "defaultCategory", ["", null, "/api/tags/1"], CATEGORY_REQUIRED],
    [PHYSICAL, "defaultCategory", [2_000_000_000], "Cette catégorie n'existe pas."],
    [
      PHYSICAL,
      "price",
      ["abc", 1.234, true],
      "Veuillez saisir un montant en euros, avec deux décimales au plus.",
    ],
    [PHYSICAL, "price", [-0.01, "-1"], "Le montant ne peut pas être négatif."],
    [
      PHYSICAL,
      "price",
      [21_474_836.48, 1e12],
      "Le montant ne peut pas dépasser 21\u202f474\u202f836,47\u00a0€.",
    ],
    [PHYSICAL, "price", ["", null], REQUIRED],
    [PHYSICAL, "name", ["", "  ", null, "\u200b", "\u2800 \u3164"], REQUIRED],
    [PHYSICAL, "description", ["\u00ad\n\u200e"], REQUIRED],
    [PHYSICAL, "name", ["a".repeat(256)], "Ce champ doit contenir au plus 255 caractères."],
    [
      PHYSICAL,
      "vatRate",
      [19.6, -1, "abc", 20.004, false, [], ["5.5"], " ", "0x14", "1e1"],
      "Le taux de TVA doit être 20, 10, 5,5, 2,1 ou 0.",
    ],
    [
      PHYSICAL,
      "image",
      ["../secret.png", "javascript:alert(1)", "http://", "a<b>.png", "/etc/passwd"],
      "Cette image doit être un nom de fichier ou une adresse http(s).",
    ],
    [
      DIGITAL,
      "downloadLink",
      ["javascript:alert(1)", "//exemple.fr/a", "http://", "../../etc/passwd", "/2026/guide.pdf"],
      "Ce lien doit être une adresse http(s), un chemin /downloads/… ou un nom de fichier.",
    ],
    [
      PHYSICAL,
      "characteristics",
      ["abc", { a: {} }, [{ name: "a" }]],
      "Les caractéristiques doivent être des textes désignés par leur nom.",
    ],
    [
      PHYSICAL,
      "categories",
      ["abc", 1],
      "Ce champ doit être une liste d'identifiants ou d'adresses.",
    ],
  ];
  for (const [path, field, values, sentence] of wrong)
    for (const value of values) {
      const json = { ...lamp(category.id), filesize: 10, [field]: value };
      expect(
        sentencesOf(await api.post(path, { token, json })),
        `${field}: ${JSON.stringify(value)}`,
      ).toEqual({ [field]: sentence });
    }
  const relations = { categories: [category.id, 2_000_000_000], tags: ["/api/tags/2000000000"] };
  expect(
    sentencesOf(await api.post(PHYSICAL, { token, json: { ...lamp(category.id), ...relations } })),
  ).toEqual({
    "categories[1]": "Cette catégorie n'existe pas.",
    "tags[0]": "Ce tag n'existe pas.",
  });
  const malformed = { ...lamp(category.id), tags: [category.id, {}] };
  expect(Object.keys(sentencesOf(await api.post(PHYSICAL, { token, json: malformed })))).toEqual([
    "tags[1]",
  ]);
});

test("what is sent changes public pages immediately", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { product, tag, other } = await arrange(async (db) => {
    const { category, other, tag } = await labels(db);
    const product = await createProduct({
      db,
      name: `Vieux nom ${category.id}`,
      categoryIds: [category.id, other.id],
      tagIds: [tag.id],
    });
    return { product, tag, other };
  });
  const pages = [`/product/${product.id}`, `/products?category=${other.id}`];
  const texts = () => Promise.all(pages.map(async (path) => (await api.get(path)).text));
  for (const text of await texts()) expect(text).toContain(product.name);
  const name = `Nouveau nom ${product.id}`;
  const changed = await api.put<AdminProduct>(`${PHYSICAL}/${product.id}`, {
    token,
    json: { name, price: 0 },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.json).toMatchObject({
    name,
    price: 0,
    description: product.description,
    characteristics: { Matière: "Bois de hêtre" },
    tags: [{ id: tag.id }],
    version: 2,
  });
  for (const text of await texts()) {
    expect(text).toContain(name);
    expect(text).not.toContain(product.name);
  }
  const moved = await api.put<AdminProduct>(`${PHYSICAL}/${product.id}`, {
    token,
    json: {
      categories: [],
      tags: [],
      image: "",
      characteristics: [
        { name: "2", value: "b" },
        { name: "1", value: "a" },
      ],
    },
  });
  expect(moved.json).toMatchObject({ categories: [], tags: [], image: null });
  expect((await api.get(String(pages[1]))).text).not.toContain(name);
  const history = await historyOf({ api, token, entity: "Product", id: product.id });
  expect(history[1]?.changes).toEqual([
    { field: "name", before: product.name, after: name },
    { field: "price", before: 19.9, after: 0 },
  ]);
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

test.describe("at /api/products, where all products are", () => {
  test("one is created with the kind that is sent", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { category } = await labels(database);
    const create = (json: object) =>
      api.post<AdminProduct>("/api/products", { token, json: { ...lamp(category.id), ...json } });
    for (const name of [
      { productType: "physical" },
      { product_type: "physical" },
      { "@type": "PhysicalProduct" },
    ]) {
      const created = await create({ ...name, filesize: null, filetype: "PDF", weight: 12 });
      expect(created.status, created.text).toBe(201);
      expect(created.headers.location).toBe(`/api/products/${created.json.id}`);
      expect(created.json).toMatchObject({
        "@context": "/api/contexts/Product",
        "@type": "PhysicalProduct",
        weight: 12,
        filetype: null,
        characteristics: {},
      });
    }
    const file = await create({ productType: "digital", filesize: 12, weight: 12, stock: 3 });
    expect(file.json).toMatchObject({ "@type": "DigitalProduct", filesize: 12, weight: null });
    expect(file.json).toMatchObject({ stock: null, characteristics: null });

    expect(sentencesOf(await create({}))).toEqual({ productType: REQUIRED });
    expect(sentencesOf(await create({ "@type": "Product" }))).toEqual({ productType: REQUIRED });
    expect(sentencesOf(await create({ productType: "both" }))).toEqual({
      productType: "Cette valeur n'est pas permise. Valeurs permises : physical, digital.",
    });
    expect(sentencesOf(await create({ productType: "digital" }))).toEqual({
      filesize: SIZE_REQUIRED,
    });
  });

  test("one keeps its kind, or gets the one that is sent", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id, name } = await createProduct({ db: database });
    const path = `/api/products/${id}`;
    const put = (json: object) => api.put<AdminProduct>(path, { token, json });
    const priced = await put({ price: "12,50", filesize: 9, filetype: "PDF" });
    expect(priced.json).toMatchObject({
      "@id": path,
      "@type": "PhysicalProduct",
      name,
      price: 12.5,
      filesize: null,
      filetype: null,
    });
    // A client that sends back what it has read also sends the former kind.
    const { "@type": type } = priced.json;
    const converted = await put({ ...priced.json, productType: "digital", filesize: 9 });
    expect(converted.json).toMatchObject({
      "@type": "DigitalProduct",
      filesize: 9,
      characteristics: null,
    });
    const stays = await put({ ...converted.json, name: "Guide" });
    expect(stays.json).toMatchObject({ "@type": "DigitalProduct", name: "Guide", filesize: 9 });
    const back = await put({ "@type": type, characteristics: { Format: "A5" } });
    expect(back.json).toMatchObject({
      "@type": "PhysicalProduct",
      characteristics: { Format: "A5" },
      downloadLink: null,
      filesize: null,
      filetype: null,
    });

    const stale = await put({ name: "Autre", version: priced.json.version });
    expect(stale.status).toBe(409);
    expect((await api.put("/api/products/999999999", { token, json: {} })).status).toBe(404);
    expect((await historyOf({ api, token, entity: "Product", id })).length).toBe(4);
  });
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

test("a deleted product is gone, from its page too", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const product = await arrange(async (db) => {
    const user = await createUser({ db });
    const product = await createProduct({ db });
    await createOrder({ db, user, items: [{ product, quantity: 2 }] });
    await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
    await createReview({ db, userId: user.id, productId: product.id });
    return product;
  });
  const paths = [`/product/${product.id}`, `/api/products/${product.id}`];
  for (const path of paths) expect((await api.get(path)).status, path).toBe(200);
  const deleted = await api.delete(`/api/products/${product.id}`, { token });
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const path of paths) expect((await api.get(path)).status, path).toBe(404);
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
    const table = linesOfCsv(await api.get(path, { token, accept: "text/csv" }));
    const names = answer.json["hydra:member"].map(({ name }) => name.at(-1)).join("");
    expect(
      table
        .slice(1)
        .map((line) => line[1]?.at(-1))
        .join(""),
      path,
    ).toBe(names);
    return names;
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

test("staff list products without a weight, or of one kind", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { category } = await arrange(async (db) => {
    const { category } = await labels(db);
    const products = { db, categoryIds: [category.id] };
    await createProduct({ ...products, name: "A" });
    await createProduct({ ...products, name: "B", weight: 300 });
    await createProduct({ ...products, name: "C", type: "digital" });
    return { category };
  });
  const names = async (path: string, query = "") => {
    const url = `${path}?category=${category.id}&${query}`;
    const answer = await api.get<Collection<AdminProduct>>(url, { token });
    expect(answer.status, answer.text).toBe(200);
    return answer.json["hydra:member"].map(({ name }) => name).join("");
  };
  expect(await names("/api/products")).toBe("ABC");
  expect(await names("/api/products", "withoutWeight=true")).toBe("A");
  expect(await names("/api/products", "withoutWeight=false")).toBe("B");
  expect(await names(DIGITAL)).toBe("C");
  expect((await api.get("/api/products", { accept: "text/csv" })).status).toBe(406);
});
