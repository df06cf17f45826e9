import { and, eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { newAdmin, ORDER_ADDRESSES, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import { createCounted, expectStockAddsUp, movementsOf, stockOf } from "../stock";

// Stock as staff keep it, and as the public sees it: docs/decisions/081.

const changedTo = (stock: number) =>
  `Le stock a changé entre-temps\u00a0: il est de ${stock}. Vérifiez votre correction.`;

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
    const seen = (await api.get<object>(path)).json;
    expect(seen).toMatchObject({ availability, stock: shown });
    expect(seen).not.toHaveProperty("lowStockThreshold");
    const full = await api.get(path, { token });
    expect(full.json).toMatchObject({ availability, stock, lowStockThreshold: 3 });
  }
});

test("saving another stock records a movement", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createProduct({ db });
  const save = (json: object, kind = "physical") =>
    api.put(`/api/${kind}_products/${id}`, { token, json });
  for (const [json, stock] of [
    [{ stock: 5, lowStockThreshold: 2 }, 5],
    [{ name: "Sans toucher au stock" }, 5],
    [{ stock: 3 }, 3],
    [{ stock: null }, null],
    [{ stock: "4" }, 4],
  ] as const)
    expect((await save(json)).json, JSON.stringify(json)).toMatchObject({
      stock,
      lowStockThreshold: 2,
    });
  const moved = ["correction 5", "correction -2", "correction -3", "correction 4"];
  expect(await movementsOf(db, id)).toEqual(moved);
  for (const stock of [-1, 1.5, "beaucoup", 1_000_001, true])
    expect(sentencesOf(await save({ stock })), String(stock)).toEqual({
      stock: "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000.",
    });
  expect((await save({ filesize: 100 }, "digital")).json).toMatchObject({
    stock: null,
    lowStockThreshold: null,
    availability: "unlimited",
  });
  expect(await movementsOf(db, id)).toEqual([...moved, "correction -4"]);
  await expectStockAddsUp(db);
});

test("saving a form from before a sale does not undo the sale", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 10 });
  const correct = { quantity: -3, reason: "Vente" };
  await api.post(`/api/products/${id}/stock_movements`, { token, json: correct });
  const save = async (json: object) => {
    const answer = await api.put(`/api/physical_products/${id}`, { token, json });
    return { status: answer.status, json: answer.json };
  };
  expect(await save({ stock: 12, currentStock: 10 })).toMatchObject({
    status: 409,
    json: { error: changedTo(7), current: { stock: 7 } },
  });
  for (const [json, stock] of [
    [{ name: "Autre nom", currentStock: 10 }, 7],
    [{ stock: 9, currentStock: 7 }, 9],
    [{ stock: null, currentStock: 9 }, null],
    [{ stock: 4, currentStock: null }, 4],
  ] as const)
    expect(await save(json)).toMatchObject({ status: 200, json: { stock } });
  await expectStockAddsUp(db);
});

test("a correction has a reason, who made it, and is made once", async ({ api, database: db }) => {
  const { token, id: adminId } = await newAdmin(db);
  const { id } = await createCounted({ db, stock: 5 });
  const path = `/api/products/${id}/stock_movements`;
  const correct = (json: object) => api.post(path, { token, json });
  const first = { quantity: -2, reason: "Casse", currentStock: 5 };
  const answers = await Promise.all(Array.from({ length: 8 }, () => correct(first)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  for (const { status, json } of answers)
    expect(json).toMatchObject(
      status === 201 ? { message: "Stock corrigé.", stock: 3 } : { error: changedTo(3) },
    );
  for (const [json, sentences] of [
    ...[0, 1.5, 1_000_001, null].map(
      (quantity) =>
        [
          { quantity },
          {
            quantity:
              "La correction doit être un nombre entier, différent de 0, de −1\u202f000\u202f000 à 1\u202f000\u202f000.",
          },
        ] as const,
    ),
    [{ reason: " " }, { reason: "Indiquez la raison de cette correction." }],
    [{ quantity: -4 }, { quantity: "Il ne reste que 3 exemplaire(s) de ce produit." }],
    [{ quantity: 999_999 }, { quantity: expect.any(String) }],
  ] as const)
    expect(sentencesOf(await correct({ quantity: 1, reason: "Essai", ...json }))).toEqual(
      sentences,
    );
  expect(await stockOf(db, id)).toBe(3);
  const guide = await createProduct({ db, type: "digital" });
  const onFile = await api.post(`/api/products/${guide.id}/stock_movements`, {
    token,
    json: { quantity: 1, reason: "Essai" },
  });
  expect(sentencesOf(onFile)).toEqual({
    quantity: "Le stock ne se compte que pour un produit physique.",
  });

  const page = await api.get(`${path}?itemsPerPage=1`, { token });
  expect(page.json).toMatchObject({
    "@id": path,
    "hydra:view": { "hydra:next": `${path}?itemsPerPage=1&page=2` },
    "hydra:search": { "hydra:template": expect.stringContaining(path) },
  });
  const { json } = await api.get(path, { token, accept: "application/json" });
  expect(json).toMatchObject([
    { kind: "correction", quantity: -2, reason: "Casse", order: null, user: { id: adminId } },
    { kind: "correction", quantity: 5, reason: "Inventaire", user: null },
  ]);
  const isAbout = and(eq(auditEntries.entity, "Product"), eq(auditEntries.entityId, id));
  expect(await db.select().from(auditEntries).where(isAbout)).toMatchObject([
    { before: { stock: 5 }, after: { stock: 3, reason: "Casse" } },
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
  const send = (csv: unknown) => api.post("/api/stock_imports", { token, json: { csv } });
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
  const path = "/api/products?order[stock]=asc&type=physical";
  const { text } = await api.get(path, { token, accept: "text/csv" });
  expect(text).toContain(";Stock;Seuil de stock bas;");
  expect(text).toContain(";Stock lu");
  const send = async (csv: string) =>
    (await api.post("/api/stock_imports", { token, json: { csv } })).json;
  expect(await send(text)).toMatchObject({ changed: 0 });
  // The product is also found by its name, as written in the file.
  const [, name] = /;("'=Vase; «\u00a0exporté\u00a0»");/.exec(text) ?? [];
  expect(await send(`Nom;Stock\n${name};1250\n`)).toMatchObject({ changed: 1 });
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
  const sold = await createCounted({ db, stock: 12, name: "Vase bleu" });
  const other = await createCounted({ db, stock: 4 });
  const send = (...lines: string[]) =>
    api.post("/api/stock_imports", {
      token,
      json: { csv: ["ID;Stock;Stock lu", ...lines].join("\n") },
    });
  const json = { quantity: -2, reason: "Vente au comptoir" };
  await api.post(`/api/products/${sold.id}/stock_movements`, { token, json });
  const [unchanged, corrected] = [`${sold.id};12;12`, `${other.id};9;4`];
  expect((await send(unchanged, corrected)).json).toMatchObject({ changed: 1 });
  expect([await stockOf(db, sold.id), await stockOf(db, other.id)]).toEqual([10, 9]);
  expect(sentencesOf(await send(`${sold.id};20;12`))).toEqual({
    "lines[2]":
      "Ligne 2\u00a0: le stock de «\u00a0Vase bleu\u00a0» a changé depuis l'export\u00a0: il est de 10. Exportez de nouveau la liste, ou vérifiez votre correction et mettez 10 dans «\u00a0Stock lu\u00a0».",
  });
  expect((await send(`${sold.id};20;10`)).json).toMatchObject({ changed: 1 });
  // Importing the other row again changes nothing.
  expect((await send(corrected)).json).toMatchObject({ changed: 0 });
  await expectStockAddsUp(db);
});

test("staff sort by stock, and filter what is sold out or low", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const scarce = { db, stock: 2, lowStockThreshold: 2 };
  const { id: low, defaultCategoryId } = await createCounted(scarce);
  const { id: out } = await createCounted({ ...scarce, stock: 0, defaultCategoryId });
  const { id: plenty } = await createCounted({ db, stock: 900_000, defaultCategoryId });
  for (const [query, ids] of Object.entries({
    "stockState=sold_out": [out],
    "stockState=low": [low],
    "order[stock]=asc": [out, low, plenty],
    "order[stock]=desc": [plenty, low, out],
  })) {
    const path = `/api/products?type=physical&category=${defaultCategoryId}&${query}`;
    const { json } = await api.get(path, { token, accept: "application/json" });
    expect(json, query).toMatchObject(ids.map((id) => ({ id })));
  }
  expect((await api.get("/api/products?stockState=x", { token })).status).toBe(400);
});

test("orders by hand take pieces, and cannot oversell", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: user } = await createUser({ db });
  const { id: product } = await createCounted({ db, stock: 3 });
  const write = (quantity: number) =>
    api.post<{ id: number }>("/api/admin_orders", {
      token,
      json: {
        user,
        orderItems: [{ product, quantity }],
        total: 42.9,
        ...ORDER_ADDRESSES,
        invoice_pdf_path: "/api/invoices/1/download",
      },
    });
  expect(sentencesOf(await write(4))).toEqual({
    "orderItems[0].quantity": "Il ne reste que 3 exemplaire(s) de ce produit.",
  });
  const path = `/api/admin_orders/${(await write(2)).json.id}`;
  for (const [quantity, status, left] of [
    [5, 422, 1],
    [3, 200, 0],
    [1, 200, 2],
  ] as const) {
    const orderItems = [{ product, quantity }];
    expect((await api.put(path, { token, json: { orderItems } })).status).toBe(status);
    expect(await stockOf(db, product)).toBe(left);
  }
  await api.delete(path, { token });
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
  const user = await createUser({ db });
  const product = await createProduct({ db, stock: null });
  const { order } = await createOrder({ db, user, items: [{ product, quantity: 3 }] });
  // The product is counted from this point on. The order's pieces were not counted.
  const inventory = { quantity: 10, reason: "Inventaire" };
  await api.post(`/api/products/${product.id}/stock_movements`, { token, json: inventory });
  const path = `/api/admin_orders/${order.id}`;
  for (const [quantity, stock] of [
    [2, 10],
    [4, 8],
    [1, 10],
  ] as const) {
    const orderItems = [{ product: product.id, quantity }];
    await api.put(path, { token, json: { orderItems } });
    expect(await stockOf(db, product.id)).toBe(stock);
  }
  await api.delete(path, { token });
  expect(await stockOf(db, product.id)).toBe(10);
  await expectStockAddsUp(db);
});

test("a new availability expires the pages that show it, and no others", async ({ shopWith }) => {
  // A shop of its own: sales of earlier tests expire lists up to two seconds later.
  const shop = await shopWith();
  const { api, database: db } = shop;
  const { token } = await newAdmin(db);
  const product = await createCounted({ db, stock: 5, lowStockThreshold: 3 });
  const other = await createCounted({ db, stock: 5, lowStockThreshold: 3 });
  await shop.forgetCaches();
  const list = `/products?category=${product.defaultCategoryId}`;
  const own = [`/product/${product.id}`, list];
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
    const one = await api.get(`/api/products/${product.id}`);
    expect(one.json).toMatchObject({ availability });
    const listed = await api.get(`/api${list}`);
    expect(listed.json).toMatchObject({ "hydra:member": [{ availability }] });
  }
  const [, html] = await stateOf(`/product/${product.id}`);
  expect(html).toContain('"availability":"https://schema.org/InStock"');
});
