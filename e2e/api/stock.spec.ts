import { and, eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import { createCounted, expectStockAddsUp, movementsOf, stockOf } from "../stock";

// Stock as staff keep it, and as the public sees it: docs/decisions/081.

interface ProductJson {
  id: number;
  availability: string;
  stock: number | null;
  lowStockThreshold?: number | null;
}

test("the public sees the availability, staff the stock", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  for (const [stock, availability, shown] of [
    [9, "in_stock", null],
    [3, "low", 3],
    [0, "sold_out", null],
    [null, "unlimited", null],
  ] as const) {
    const { id } = await createProduct({ db, stock, lowStockThreshold: 3 });
    const path = `/api/products/${id}`;
    const seen = (await api.get<ProductJson>(path)).json;
    expect([seen.availability, seen.stock], path).toEqual([availability, shown]);
    expect(seen).not.toHaveProperty("lowStockThreshold");
    const full = (await api.get<ProductJson>(path, { token })).json;
    expect(full, path).toMatchObject({ availability, stock, lowStockThreshold: 3 });
  }
});

test("saving another stock records a movement", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createProduct({ db });
  const path = `/api/physical_products/${id}`;
  const save = (json: unknown) => api.put<ProductJson>(path, { token, json, mayFail: true });
  expect((await save({ stock: 5, lowStockThreshold: 2 })).json).toMatchObject({ stock: 5 });
  expect((await save({ name: "Sans toucher au stock" })).json).toMatchObject({ stock: 5 });
  expect((await save({ stock: 3 })).json).toMatchObject({ stock: 3, lowStockThreshold: 2 });
  expect((await save({ stock: null })).json).toMatchObject({ stock: null });
  expect((await save({ stock: "4" })).json).toMatchObject({ stock: 4 });
  expect(await movementsOf(db, id)).toEqual([
    "correction 5",
    "correction -2",
    "correction -3",
    "correction 4",
  ]);
  for (const stock of [-1, 1.5, "beaucoup", 1_000_001, true]) {
    expect(sentencesOf(await save({ stock })), String(stock)).toEqual({
      stock: "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000.",
    });
  }
  const digital = await api.put<ProductJson>(`/api/digital_products/${id}`, {
    token,
    json: { filesize: 100 },
  });
  expect(digital.json).toMatchObject({
    stock: null,
    lowStockThreshold: null,
    availability: "unlimited",
  });
  expect(await movementsOf(db, id)).toHaveLength(5);
  await expectStockAddsUp(db);
});

test("saving a form from before a sale does not undo the sale", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 10 });
  const correct = { quantity: -3, reason: "Vente" };
  await api.post(`/api/products/${id}/stock_movements`, { token, json: correct });
  const save = (json: unknown) =>
    api.put<ProductJson & { error: string; current: ProductJson }>(`/api/physical_products/${id}`, {
      token,
      json,
      mayFail: true,
    });
  const stale = await save({ stock: 12, currentStock: 10 });
  expect([stale.status, stale.json.error, stale.json.current.stock]).toEqual([
    409,
    "Le stock a changé entre-temps\u00a0: il est de 7. Vérifiez votre correction.",
    7,
  ]);
  expect((await save({ name: "Autre nom", currentStock: 10 })).json).toMatchObject({ stock: 7 });
  expect((await save({ stock: 9, currentStock: 7 })).json).toMatchObject({ stock: 9 });
  expect((await save({ stock: null, currentStock: 9 })).json).toMatchObject({ stock: null });
  expect((await save({ stock: 4, currentStock: null })).json).toMatchObject({ stock: 4 });
  await expectStockAddsUp(db);
});

test("a correction has a reason, who made it, and is made once", async ({ api, database: db }) => {
  const { token, id: adminId } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 5 });
  const path = `/api/products/${id}/stock_movements`;
  const correct = (json: unknown) =>
    api.post<{ message: string; stock: number; error: string }>(path, {
      token,
      json,
      mayFail: true,
    });
  const first = { quantity: -2, reason: "Casse", currentStock: 5 };
  const answers = await Promise.all(Array.from({ length: 8 }, () => correct(first)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  expect(answers.find(({ status }) => status === 201)?.json).toMatchObject({
    message: "Stock corrigé.",
    stock: 3,
  });
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
    "Le stock a changé entre-temps\u00a0: il est de 3. Vérifiez votre correction.",
  );
  const message =
    "La correction doit être un nombre entier, différent de 0, de −1\u202f000\u202f000 à 1\u202f000\u202f000.";
  for (const quantity of [0, 1.5, 1_000_001, null]) {
    const refused = await correct({ quantity, reason: "Essai" });
    expect(sentencesOf(refused), String(quantity)).toEqual({ quantity: message });
  }
  expect(sentencesOf(await correct({ quantity: 1, reason: " " }))).toEqual({
    reason: "Indiquez la raison de cette correction.",
  });
  expect(sentencesOf(await correct({ quantity: -4, reason: "Casse" }))).toEqual({
    quantity: "Il ne reste que 3 exemplaire(s) de ce produit.",
  });
  expect((await correct({ quantity: 999_999, reason: "Trop" })).status).toBe(422);
  expect(await stockOf(db, id)).toBe(3);
  const list = await api.get<{
    "@id": string;
    "hydra:view": { "hydra:next": string };
    "hydra:search": { "hydra:template": string };
  }>(`${path}?itemsPerPage=1`, { token });
  expect(list.json["@id"]).toBe(path);
  expect(list.json["hydra:view"]["hydra:next"]).toBe(`${path}?itemsPerPage=1&page=2`);
  expect(list.json["hydra:search"]["hydra:template"]).toContain(path);
  const { json } = await api.get<unknown[]>(path, {
    token,
    headers: { Accept: "application/json" },
  });
  expect(json).toMatchObject([
    { kind: "correction", quantity: -2, reason: "Casse", order: null, user: { id: adminId } },
    { kind: "correction", quantity: 5, reason: "Inventaire", user: null },
  ]);
  const isAbout = and(eq(auditEntries.entity, "Product"), eq(auditEntries.entityId, id));
  expect(await db.select().from(auditEntries).where(isAbout)).toMatchObject([
    {
      before: { stock: 5 },
      after: { stock: 3, reason: "Casse" },
    },
  ]);
  const guide = await createProduct({ db, type: "digital" });
  const onFile = await api.post<{ error: string }>(`/api/products/${guide.id}/stock_movements`, {
    token,
    json: { quantity: 1, reason: "Essai" },
    mayFail: true,
  });
  expect([onFile.status, onFile.json.error]).toEqual([
    422,
    "quantity: Le stock ne se compte que pour un produit physique.",
  ]);
});

test("a CSV file sets all of its stocks or none", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const name = `Lampe d'import ${Date.now()}`;
  const [vase, lamp, twin, guide] = [
    await createCounted({ db, stock: 5 }),
    await createProduct({ db, name }),
    await createProduct({ db, name: `${name} double` }),
    await createProduct({ db, type: "digital" }),
  ];
  await createProduct({ db, name: `${name} double` });
  const send = (csv: unknown) =>
    api.post("/api/stock_imports", {
      token,
      json: { csv },
      mayFail: true,
    });
  const wrong = await send(
    `ID;Nom;Stock\n${vase.id};;2\n999999999;;1\n;${name} double;1\n${guide.id};;4\n${vase.id};;3\n;${name};-1\n`,
  );
  expect(sentencesOf(wrong)).toEqual({
    "lines[3]": "Ligne 3\u00a0: ce produit n'existe pas.",
    "lines[4]": "Ligne 4\u00a0: plusieurs produits portent ce nom\u00a0: indiquez l'ID.",
    "lines[5]": "Ligne 5\u00a0: le stock ne se compte que pour un produit physique.",
    "lines[6]": "Ligne 6\u00a0: ce produit figure déjà plus haut dans le fichier.",
    "lines[7]": "Ligne 7\u00a0: le stock doit être un nombre entier de 0 à 1\u202f000\u202f000.",
  });
  expect([await stockOf(db, vase.id), await stockOf(db, lamp.id)]).toEqual([5, null]);
  const file = `ID;Nom;Stock\n${vase.id};;2\n;${name};7\n${twin.id};;\n`;
  expect((await send(file)).json).toMatchObject({
    message: "Les stocks de 2 produits ont été mis à jour.",
    changed: 2,
    unchanged: 0,
  });
  expect((await send(file)).json).toMatchObject({
    message: "Tous les stocks du fichier étaient déjà à jour.",
    changed: 0,
  });
  expect(await movementsOf(db, vase.id)).toEqual(["correction 5", "import -3"]);
  expect(await movementsOf(db, lamp.id)).toEqual(["import 7"]);
  expect(await stockOf(db, twin.id)).toBeNull();
  for (const csv of ["", null, "\u0000", "ID;Stock"])
    expect((await send(csv)).status, String(csv)).toBe(422);
  await expectStockAddsUp(db);
});

test("an exported file can be imported again", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 5, name: "=Vase; «\u00a0exporté\u00a0»" });
  const { text } = await api.get("/api/products?order[stock]=asc&type=physical", {
    token,
    headers: { Accept: "text/csv" },
  });
  expect(text).toContain(";Stock;Seuil de stock bas;");
  expect(text).toContain(";Stock lu");
  const answer = await api.post<{ changed: number }>("/api/stock_imports", {
    token,
    json: { csv: text },
  });
  expect(answer.json.changed).toBe(0);
  expect(await stockOf(db, id)).toBe(5);
  // Imports the product by its name as written in the file, with a number as a spreadsheet formats it.
  const [, name] = /;("'=Vase; «\u00a0exporté\u00a0»");/.exec(text) ?? [];
  const csv = `Nom;Stock\n${name};1\u202f250,00\n`;
  expect((await api.post("/api/stock_imports", { token, json: { csv } })).status).toBe(201);
  expect(await stockOf(db, id)).toBe(1_250);
});

test("an export of thousands of products can be imported", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 5 });
  const description = "Un carnet de pages pointillées. ".repeat(12);
  const others = Array.from({ length: 4_000 }, () => `1;"${description}";;\r\n`).join("");
  const csv = `\uFEFFID;Description;Stock;Stock lu\r\n${id};;7;5\r\n${others}`;
  const { status, text } = await api.post("/api/stock_imports", { token, json: { csv } });
  expect(status, text).toBe(201);
  expect(await stockOf(db, id)).toBe(7);
});

test("an import undoes no sale since the export", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const [sold, other] = [
    await createCounted({ db, stock: 12, name: "Vase bleu" }),
    await createCounted({ db, stock: 4 }),
  ];
  const send = (stocks: string) =>
    api.post<{ changed: number }>("/api/stock_imports", {
      token,
      json: { csv: `ID;Stock;Stock lu\n${stocks}` },
      mayFail: true,
    });
  const path = `/api/products/${sold.id}/stock_movements`;
  await api.post(path, { token, json: { quantity: -2, reason: "Vente au comptoir" } });
  const unchanged = `${sold.id};12;12`;
  const answer = await send(`${unchanged}\n${other.id};9;4\n`);
  expect(answer.json.changed).toBe(1);
  expect([await stockOf(db, sold.id), await stockOf(db, other.id)]).toEqual([10, 9]);
  const refused = await send(`${sold.id};20;12\n`);
  expect(Object.values(sentencesOf(refused))).toEqual([
    "Ligne 2\u00a0: le stock de «\u00a0Vase bleu\u00a0» a changé depuis l'export\u00a0: il est de 10. Exportez de nouveau la liste, ou vérifiez votre correction et mettez 10 dans «\u00a0Stock lu\u00a0».",
  ]);
  expect((await send(`${sold.id};20;10\n`)).json.changed).toBe(1);
  // Importing the other row again changes nothing.
  expect((await send(`${other.id};9;4\n`)).json.changed).toBe(0);
  await expectStockAddsUp(db);
});

test("staff sort by stock, and filter what is sold out or low", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const scarce = { db, stock: 2, lowStockThreshold: 2 };
  const { id: low, defaultCategoryId } = await createCounted(scarce);
  const { id: out } = await createCounted({ ...scarce, stock: 0, defaultCategoryId });
  const { id: plenty } = await createCounted({ db, stock: 900_000, defaultCategoryId });
  const idsOf = async (query: string) => {
    const { json } = await api.get<{ "hydra:member": ProductJson[] }>(`/api/products?${query}`, {
      token,
    });
    return json["hydra:member"];
  };
  const soldOut = await idsOf("stockState=sold_out&itemsPerPage=100");
  expect(soldOut.map(({ id }) => id)).toContain(out);
  expect(soldOut.every(({ stock }) => stock === 0)).toBe(true);
  const few = await idsOf("stockState=low&itemsPerPage=100");
  expect(few.map(({ id }) => id)).toContain(low);
  expect(few.every(({ availability }) => availability === "low")).toBe(true);
  const counted = (await idsOf("order[stock]=asc&itemsPerPage=100"))
    .map(({ stock }) => stock)
    .filter((stock) => stock !== null);
  expect(counted).toEqual([...counted].sort((a, b) => a - b));
  const all = await idsOf(`order[stock]=desc&type=physical&category=${defaultCategoryId}`);
  expect(all.map(({ id }) => id)).toEqual([plenty, low, out]);
  const wrong = await api.get("/api/products?stockState=x", { token, mayFail: true });
  expect(wrong.status).toBe(400);
});

const ADDRESSES = {
  shippingStreet: "12 rue des Lilas",
  shippingCity: "Lyon",
  shippingPostalCode: "69003",
  billingStreet: "12 rue des Lilas",
  billingCity: "Lyon",
  billingPostalCode: "69003",
  invoice_pdf_path: "/api/invoices/1/download",
};

test("orders by hand take pieces, and cannot oversell", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: user } = await createUser({ db });
  const { id: product } = await createCounted({ db, stock: 3 });
  const write = (quantity: number) =>
    api.post<{ id: number }>("/api/admin_orders", {
      token,
      json: { user, total: 42.9, ...ADDRESSES, orderItems: [{ product, quantity }] },
      mayFail: true,
    });
  expect(sentencesOf(await write(4))).toEqual({
    "orderItems[0].quantity": "Il ne reste que 3 exemplaire(s) de ce produit.",
  });
  const { json: order } = await write(2);
  const edit = (quantity: number) =>
    api.put(`/api/admin_orders/${order.id}`, {
      token,
      json: { orderItems: [{ product, quantity }] },
      mayFail: true,
    });
  expect((await edit(5)).status).toBe(422);
  expect((await edit(3)).status).toBe(200);
  expect(await stockOf(db, product)).toBe(0);
  expect((await edit(1)).status).toBe(200);
  expect(await stockOf(db, product)).toBe(2);
  await api.delete(`/api/admin_orders/${order.id}`, { token });
  expect(await movementsOf(db, product)).toEqual([
    "correction 3",
    "sale -2",
    "sale -1",
    "return 2",
    "return 1",
  ]);
  await expectStockAddsUp(db);
});

test("an order returns only the pieces that it took out", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: user } = await createUser({ db });
  const { id: product } = await createProduct({ db, stock: null });
  const { json: order } = await api.post<{ id: number }>("/api/admin_orders", {
    token,
    json: { user, total: 42.9, ...ADDRESSES, orderItems: [{ product, quantity: 3 }] },
  });
  const edit = (quantity: number) =>
    api.put(`/api/admin_orders/${order.id}`, {
      token,
      json: { orderItems: [{ product, quantity }] },
    });
  // The product is counted from this point on. The order's pieces were not counted.
  await api.post(`/api/products/${product}/stock_movements`, {
    token,
    json: { quantity: 10, reason: "Inventaire" },
  });
  const seen: unknown[] = [];
  for (const quantity of [2, 4, 1]) {
    await edit(quantity);
    seen.push(await stockOf(db, product));
  }
  await api.delete(`/api/admin_orders/${order.id}`, { token });
  expect([...seen, await stockOf(db, product)]).toEqual([10, 8, 10, 10]);
  await expectStockAddsUp(db);
});

test("a new availability expires the pages that show it, and no others", async ({ shopWith }) => {
  // A shop of its own: sales of earlier tests expire lists up to two seconds later.
  const shop = await shopWith();
  const { api, database: db } = shop;
  const { token } = await newAdmin(db);
  const category = await db.transaction(
    async (tx) => (await createProduct({ db: tx })).defaultCategoryId,
  );
  const product = await createCounted({
    db,
    stock: 5,
    lowStockThreshold: 3,
    defaultCategoryId: category,
  });
  const other = await createCounted({ db, stock: 5, lowStockThreshold: 3 });
  await shop.forgetCaches();
  const own = [`/product/${product.id}`, `/products?category=${category}`];
  const others = [
    `/product/${other.id}`,
    `/products?category=${other.defaultCategoryId}`,
    "/products?type=digital",
  ];
  const stateOf = async (path: string) => {
    const response = await fetch(shop.baseURL + path);
    return [response.headers.get("x-nextjs-cache"), await response.text()] as const;
  };
  const warmUp = async () => {
    for (const path of [...own, ...others])
      await expect.poll(async () => (await stateOf(path))[0], path).toBe("HIT");
  };
  const correct = (quantity: number) =>
    api.post(`/api/products/${product.id}/stock_movements`, {
      token,
      json: { quantity, reason: "Essai" },
    });
  const expectShown = async ({ expired, text }: { expired: boolean; text: string }) => {
    for (const path of own) {
      const [state, html] = await stateOf(path);
      expect([path, state]).toEqual([path, expired ? "MISS" : "HIT"]);
      expect(html, path).toContain(text);
    }
    for (const path of others) expect([path, (await stateOf(path))[0]]).toEqual([path, "HIT"]);
  };
  const json = async () => (await api.get<ProductJson>(`/api/products/${product.id}`)).json;
  const listed = async () => {
    const { json: list } = await api.get<{ "hydra:member": ProductJson[] }>(
      `/api/products?category=${category}`,
    );
    return list["hydra:member"].find(({ id }) => id === product.id);
  };
  await warmUp();
  // Stock is still plentiful: the page looks the same.
  await correct(-1);
  await expectShown({ expired: false, text: "En stock" });
  for (const [quantity, text, availability] of [
    [-1, "Plus que 3 exemplaires", "low"],
    [-2, "Plus que 1 exemplaire", "low"],
    [-1, "Épuisé", "sold_out"],
    [9, "En stock", "in_stock"],
  ] as const) {
    await warmUp();
    await correct(quantity);
    await expectShown({ expired: true, text });
    expect(await json()).toMatchObject({ availability });
    expect(await listed()).toMatchObject({ availability });
  }
  const [, html] = await stateOf(own[0] ?? "");
  expect(html).toContain('"availability":"https://schema.org/InStock"');
});
