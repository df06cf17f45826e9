import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { addresses } from "@/db/schema/addresses";
import { products } from "@/db/schema/catalogue";
import { checkouts } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { historyOf, linesOfCsv, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  requestPayment,
} from "../buying";
import { paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";

// Shipping methods, and what they add to a purchase. They count for every purchase in the database, so
// each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

const PATH = "/api/shipping_methods";

interface Method {
  id: number;
  name: string;
  price: number;
  freeFrom: number | null;
  bands: { maxWeight: number; price: number }[];
  active: boolean;
  order: number;
  version: number;
}

interface CartJson {
  total: number;
  shipping: {
    methods: { id: number; name: string; price: number; delay: string }[];
    missingToFree: number | null;
  } | null;
}

const cartOf = async (api: Api, { token }: Buyer) =>
  (await api.get<CartJson>("/api/cart", { token, accept: "application/json" })).json;

const pendingOf = async (db: Database, { id }: Buyer) =>
  (await db.select().from(checkouts).where(eq(checkouts.userId, id))).filter(
    ({ status }) => status === "pending",
  );

test.describe("staff", () => {
  test("create, read, update and delete a method, and see who did", async ({ api, database }) => {
    const { token, id: adminId } = await newAdmin(database);
    const created = await api.post<Method>(PATH, {
      token,
      json: {
        name: " Colis  à domicile ",
        price: "5,90",
        freeFrom: 60,
        delay: "2 à 3 jours ouvrés",
        bands: [
          { maxWeight: "5000", price: 8.9 },
          { maxWeight: 500, price: "4,90" },
        ],
        order: 2,
      },
    });
    expect(created.status, created.text).toBe(201);
    const { id } = created.json;
    expect(created.headers.location).toBe(`${PATH}/${id}`);
    const whole = {
      id,
      name: "Colis à domicile",
      price: 5.9,
      freeFrom: 60,
      delay: "2 à 3 jours ouvrés",
      bands: [
        { maxWeight: 500, price: 4.9 },
        { maxWeight: 5000, price: 8.9 },
      ],
      zones: ["mainland"],
      postalCodes: [],
      active: true,
      order: 2,
      version: 1,
    };
    expect(created.json).toEqual({
      "@context": "/api/contexts/ShippingMethod",
      "@id": `${PATH}/${id}`,
      "@type": "ShippingMethod",
      ...whole,
    });

    const changed = await api.put<Method>(`${PATH}/${id}`, {
      token,
      json: { freeFrom: null, bands: [], active: false, version: 1 },
    });
    expect(changed.status, changed.text).toBe(200);
    const read = await api.get(`${PATH}/${id}`, { token, accept: "application/json" });
    expect(read.json).toEqual({ ...whole, freeFrom: null, bands: [], active: false, version: 2 });
    const stale = await api.put<{ detail: string }>(`${PATH}/${id}`, {
      token,
      json: { name: "Autre", version: 1 },
    });
    expect(stale.status).toBe(409);
    expect(stale.json.detail).toBe("Cet objet a été modifié entre-temps par Inès Garnier.");

    expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(204);
    for (const verb of ["GET", "PUT", "DELETE"])
      expect((await api.request(verb, `${PATH}/${id}`, { token, json: {} })).status).toBe(404);
    const history = await historyOf({ api, token, entity: "ShippingMethod", id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
    expect(history[1]).toMatchObject({ user: { id: adminId }, changes: expect.any(Array) });
    expect(history[1]?.changes.map(({ field }) => field).sort()).toEqual([
      "active",
      "bands",
      "freeFrom",
    ]);
  });

  test("list them in order, filter, search and export them", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    await createShippingMethod({ db, name: "Zèbre", position: 0 });
    await createShippingMethod({ db, name: "Éléphant", position: 1, isActive: false });
    await createShippingMethod({
      db,
      name: "Fourmi",
      position: 1,
      freeFromCents: 5000,
      bands: [{ maxGrams: 250, priceCents: 290 }],
    });
    const names = async (query: string) =>
      (await api.get<Method[]>(`${PATH}?${query}`, { token, accept: "application/json" })).json.map(
        ({ name }) => name,
      );
    expect(await names("")).toEqual(["Zèbre", "Éléphant", "Fourmi"]);
    expect(await names("order[name]=asc")).toEqual(["Éléphant", "Fourmi", "Zèbre"]);
    expect(await names("active=true")).toEqual(["Zèbre", "Fourmi"]);
    expect(await names("search=elep")).toEqual(["Éléphant"]);
    const table = await api.get(`${PATH}?search=fourmi`, { token, accept: "text/csv" });
    const [head, row] = linesOfCsv(table);
    expect(head).toEqual([
      "ID",
      "Nom",
      "Prix (€)",
      "Offerte à partir de (€)",
      "Délai",
      "Tranches de poids",
      "Actif",
      "Ordre",
      "Destinations",
    ]);
    expect(row?.slice(1)).toEqual([
      "Fourmi",
      "4,9",
      "50",
      "2 à 3 jours ouvrés",
      "250 g : 2,90\u00a0€",
      "Oui",
      "1",
      "France continentale",
    ]);
  });

  test("are told in French what is wrong, and nothing is stored", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const REQUIRED = "Ce champ est obligatoire.";
    const WEIGHT = "Veuillez saisir un poids en grammes, sans décimale.";
    const AMOUNT = "Veuillez saisir un montant en euros, avec deux décimales au plus.";
    const good = { name: "Colis", price: 4.9 };
    for (const [json, sentences] of [
      [{}, { name: REQUIRED, price: REQUIRED }],
      [{ ...good, name: " \u200b " }, { name: REQUIRED }],
      [
        { ...good, name: "x".repeat(101) },
        { name: "Ce champ doit contenir au plus 100 caractères." },
      ],
      [{ ...good, price: -1 }, { price: "Le montant ne peut pas être négatif." }],
      [{ ...good, price: 1.999 }, { price: AMOUNT }],
      [{ ...good, freeFrom: "beaucoup" }, { freeFrom: AMOUNT }],
      [
        { ...good, bands: "légères" },
        { bands: "Les tranches doivent être une liste de poids et de prix." },
      ],
      [{ ...good, bands: [{ maxWeight: 1.5, price: 1 }] }, { "bands[0].maxWeight": WEIGHT }],
      [{ ...good, bands: [{ maxWeight: 2 ** 31, price: 1 }] }, { "bands[0].maxWeight": WEIGHT }],
      [
        { ...good, bands: [{ maxWeight: 1, price: 1 }, {}] },
        { "bands[1].maxWeight": REQUIRED, "bands[1].price": REQUIRED },
      ],
      [
        { ...good, bands: [1, 1].map((maxWeight) => ({ maxWeight, price: 1 })) },
        { bands: "Deux tranches ont le même poids." },
      ],
      [
        { ...good, bands: Array.from({ length: 21 }, (_, i) => ({ maxWeight: i + 1, price: 1 })) },
        { bands: "Un mode de livraison a 20 tranches au plus." },
      ],
      [{ ...good, order: -1 }, { order: "L'ordre doit être un nombre entier à partir de 0." }],
    ] as const) {
      const answer = await api.post(PATH, { token, json, mayFail: true });
      expect(sentencesOf(answer), JSON.stringify(json).slice(0, 80)).toEqual(sentences);
    }
    expect(await database.select().from(shippingMethods)).toEqual([]);
  });

  test("save a version concurrently: all but one are refused", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const { id } = await createShippingMethod({ db });
    const answers = await Promise.all(
      [1, 2, 3, 4].map((price) =>
        api.put(`${PATH}/${id}`, { token, json: { price, version: 1 }, mayFail: true }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

test("pages follow the shipping methods", async ({ api, database, shop: { baseURL } }) => {
  const { token } = await newAdmin(database);
  const textOf = async (path: string) => {
    const answer = await fetch(baseURL + path);
    expect(answer.status, path).toBe(200);
    const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, "");
    return html.replace(/<!--.*?-->|<[^>]+>/g, " ").replace(/\s+/g, " ");
  };
  const json = {
    name: "Colis <vert>",
    price: 5.9,
    freeFrom: 60,
    delay: "2 à 3 jours ouvrés",
    bands: [
      { maxWeight: 5000, price: 8.9 },
      { maxWeight: 250, price: 2.9 },
    ],
    zones: ["mainland", "monaco"],
  };
  const { json: method } = await api.post<Method>(PATH, { token, json });
  const page = await textOf("/livraison-et-retours");
  expect(page).toContain("Colis &lt;vert&gt; Vers France continentale, Monaco");
  expect(page).toContain("Délai 2 à 3 jours ouvrés Offerte dès 60,00 € d’objets");
  expect(page).toContain("jusqu’à 250 g 2,90 € jusqu’à 5 kg 8,90 €");
  const footer = "Livraison à partir de 2,90 € Offerte dès 60,00 € d’objets · 2 à 3 jours ouvrés";
  for (const path of ["/contact", "/login"]) expect(await textOf(path), path).toContain(footer);
  expect(await textOf("/")).toContain("Livraison offerte dès 60,00 € d’objets");

  const { id, version } = method;
  await api.put(`${PATH}/${id}`, { token, json: { active: false, version } });
  expect(await textOf("/livraison-et-retours")).toContain(
    "La livraison des objets est comprise dans leur prix.",
  );
  for (const path of ["/contact", "/"])
    expect(await textOf(path), path).not.toMatch(/Livraison (à partir|offerte)/);
});

test("a product's weight is whole grams, and none for files", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createProduct({ db });
  const weigh = (json: object, kind = "physical") =>
    api.put<{ weight: number | null }>(`/api/${kind}_products/${id}`, {
      token,
      json,
      mayFail: true,
    });
  for (const weight of [-1, 1.5, "lourd", 2 ** 31])
    expect(sentencesOf(await weigh({ weight })), JSON.stringify(weight)).toEqual({
      weight: "Le poids doit être un nombre entier de grammes, à partir de 0.",
    });
  expect((await weigh({ weight: " 850 " })).json.weight).toBe(850);
  // A weight that is not sent stays.
  expect((await weigh({ name: "Lampe" })).json.weight).toBe(850);
  for (const weight of [0, null, 12, ""])
    expect((await weigh({ weight })).json.weight).toBe(weight === "" ? null : weight);
  await weigh({ weight: 12 });
  expect((await weigh({ filesize: 100 }, "digital")).json.weight).toBeNull();
});

test.describe("a cart", () => {
  test("lists its methods, and what is missing to free", async ({ api, database: db }) => {
    const buyer = await createBuyer(db);
    const lamp = await createProduct({ db, priceCents: 2000, weight: 400 });
    const file = await createProduct({ db, type: "digital", priceCents: 9000 });
    const home = await createShippingMethod({
      db,
      name: "Domicile",
      priceCents: 690,
      freeFromCents: 6000,
    });
    const letter = await createShippingMethod({
      db,
      name: "Lettre",
      delay: "",
      bands: [
        { maxGrams: 450, priceCents: 290 },
        { maxGrams: 900, priceCents: 450 },
      ],
    });
    await createShippingMethod({ db, priceCents: 1, isActive: false });

    await addToCart({ api, buyer, productId: file.id });
    expect((await cartOf(api, buyer)).shipping).toBeNull();
    await addToCart({ api, buyer, productId: lamp.id });
    const mainland = { zones: ["mainland"], postalCodes: [] };
    expect((await cartOf(api, buyer)).shipping).toEqual({
      methods: [
        { id: letter.id, name: "Lettre", price: 2.9, delay: "", ...mainland },
        { id: home.id, name: "Domicile", price: 6.9, delay: "2 à 3 jours ouvrés", ...mainland },
      ],
      missingToFree: 40,
      served: mainland,
    });
    await addToCart({ api, buyer, productId: lamp.id });
    expect((await cartOf(api, buyer)).shipping).toMatchObject({
      methods: [{ price: 4.5 }, { price: 6.9 }],
      missingToFree: 20,
    });
    await addToCart({ api, buyer, productId: lamp.id });
    expect((await cartOf(api, buyer)).shipping).toEqual({
      methods: [
        { id: home.id, name: "Domicile", price: 0, delay: "2 à 3 jours ouvrés", ...mainland },
      ],
      missingToFree: null,
      served: mainland,
    });
  });
});

test.describe("a purchase", () => {
  test("with two VAT rates has its shipping on the order, the invoice, the PDF and in the mail", async ({
    api,
    shop,
    database: db,
    cards,
    mailbox,
  }) => {
    const buyer = await createBuyer(db);
    const lamp = await createProduct({
      db,
      name: "Lampe",
      image: "cactus-cierge.webp",
      priceCents: 3000,
      vatRateBp: 2000,
    });
    const book = await createProduct({ db, name: "Livre", priceCents: 1000, vatRateBp: 550 });
    const file = await createProduct({ db, name: "Guide", type: "digital", priceCents: 500 });
    for (const { id: productId } of [lamp, book, file]) await addToCart({ api, buyer, productId });
    const method = await createShippingMethod({ db, name: "Colis", priceCents: 499 });

    const opened = await requestPayment({
      api,
      buyer,
      shippingMethodId: `/api/shipping_methods/${method.id}`,
      total: 49.99,
    });
    expect(opened.status, opened.text).toBe(200);
    const secret = opened.json.clientSecret;
    expect((await cards.pay(secret)).json).toMatchObject({ status: "succeeded", amount: 4999 });
    const confirmed = await confirm({ api, buyer, secret });
    expect(confirmed.json.orderTotal).toBe(49.99);

    const [order] = await ordersOf(db, buyer.id);
    expect(order).toMatchObject({
      totalCents: 4999,
      shippingMethod: "Colis",
      shippingCents: 499,
    });
    const sent = { shippingMethod: "Colis", shippingTotal: 4.99, total: 49.99 };
    const [listed] = (await api.get<object[]>("/api/my-orders", { token: buyer.token })).json;
    expect(listed).toMatchObject(sent);
    const detail = await api.get(`/api/orders_details/${order?.id}`, { token: buyer.token });
    expect(detail.json).toMatchObject(sent);
    const { token } = await newAdmin(db);
    const managed = await api.get(`/api/admin_orders/${order?.id}`, { token });
    expect(managed.json).toMatchObject(sent);

    const [invoice] = await db
      .select()
      .from(invoices)
      .where(eq(invoices.orderId, order?.id ?? 0));
    if (!invoice) throw new Error("There is no invoice.");
    expect(invoice.totalCents).toBe(4999);
    // 499 × 3000 / 4000 = 374.25 and 499 × 1000 / 4000 = 124.75: the cent goes to the books.
    expect(invoice.snapshot.lines.slice(3)).toEqual([
      {
        kind: "shipping",
        name: "Livraison – Colis",
        quantity: 1,
        unitPriceCents: 374,
        vatRateBp: 2000,
      },
      {
        kind: "shipping",
        name: "Livraison – Colis",
        quantity: 1,
        unitPriceCents: 125,
        vatRateBp: 550,
      },
    ]);
    const path = `/api/invoices/${invoice.id}/download`;
    const text = await textOfPdf(await downloadPdf({ shop, path, token: buyer.token }));
    for (const part of [
      "Livraison – Colis 1 3,12 € 20 % 3,74 € 3,74 €",
      "Livraison – Colis 1 1,18 € 5,5 % 1,25 € 1,25 €",
      // 30.00 + 5.00 + 3.74 and 10.00 + 1.25
      "20 % 32,28 € 6,46 € 38,74 €",
      "5,5 % 10,66 € 0,59 € 11,25 €",
      "Total TTC 49,99 €",
    ])
      expect(text).toContain(part);

    const mail = await mailbox.waitForMail({ to: buyer.email });
    const spaced = mail.text.replace(/\s+/g, " ");
    expect(spaced).toContain("Livraison – Colis : 4,99 €");
    expect(spaced).toContain("1 × Lampe : 30,00 €");
    expect(spaced).toContain("Total TTC : 49,99 €");
    const shown = [
      ...mail.html.matchAll(/<a[^>]*href="([^"]*\/product\/\d+)"[^>]*><img[^>]*src="([^"]+)"/g),
    ];
    expect(shown.map(([, href]) => Number(href?.split("/").at(-1)))).toEqual([
      lamp.id,
      book.id,
      file.id,
    ]);
    // A mail program that does not accept WebP gets a JPEG.
    const [, , src = ""] = shown[0] ?? [];
    const { pathname, search } = new URL(src.replaceAll("&amp;", "&"));
    const picture = await fetch(shop.baseURL + pathname + search, { headers: { Accept: "*/*" } });
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  test("above the free amount has shipping of 0 €", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 6000 });
    const { id } = await createShippingMethod({ db, name: "Colis", freeFromCents: 6000 });
    const opened = await requestPayment({ api, buyer, shippingMethodId: id, total: 60 });
    expect(opened.status, opened.text).toBe(200);
    expect((await cards.pay(opened.json.clientSecret)).json).toMatchObject({ amount: 6000 });
    await confirm({ api, buyer, secret: opened.json.clientSecret });
    const [order] = await ordersOf(db, buyer.id);
    expect(order).toMatchObject({ totalCents: 6000, shippingMethod: "Colis", shippingCents: 0 });
  });

  test("without a method takes the cheapest that fits", async ({ api, database: db }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    await createShippingMethod({ db, priceCents: 990 });
    const weak = await createShippingMethod({ db, bands: [{ maxGrams: 500, priceCents: 290 }] });
    const strong = await createShippingMethod({ db, bands: [{ maxGrams: 2000, priceCents: 590 }] });
    const off = await createShippingMethod({ db, isActive: false });
    const refused = async (more: { shippingMethodId?: unknown }) =>
      sentencesOf(await requestPayment({ api, buyer, ...more }));
    const GONE = {
      shippingMethodId: "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.",
    };
    for (const shippingMethodId of [off.id, 2 ** 31 - 1, 2 ** 40, "/api/users/1", "colis", {}, []])
      expect(await refused({ shippingMethodId })).toEqual(GONE);
    await db.update(products).set({ weight: 501 }).where(eq(products.id, product.id));
    expect(await refused({ shippingMethodId: weak.id })).toEqual({
      shippingMethodId:
        "Ce mode de livraison ne convient pas au poids de votre panier. Veuillez en choisir un autre.",
    });
    const taken = async (more: { shippingMethodId?: unknown }) => {
      await openPayment({ api, buyer, ...more });
      return (await pendingOf(db, buyer)).map(({ shipping, totalCents }) => [
        shipping?.methodId,
        totalCents,
      ]);
    };
    expect(await taken({})).toEqual([[strong.id, 4880]]);
    await db.update(products).set({ weight: 500 }).where(eq(products.id, product.id));
    for (const shippingMethodId of [undefined, null, ""])
      expect(await taken({ shippingMethodId })).toEqual([[weak.id, 4580]]);
    await db.update(products).set({ weight: 2001 }).where(eq(products.id, product.id));
    await db.update(shippingMethods).set({ bands: [{ maxGrams: 2000, priceCents: 590 }] });
    for (const more of [{}, { shippingMethodId: strong.id }])
      expect(await refused(more)).toEqual({
        "": "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.",
      });
  });

  test("of files alone needs no shipping anywhere", async ({ api, database: db, cards }) => {
    const buyer = await createBuyer(db);
    await db
      .update(addresses)
      .set({ postalCode: "98800" })
      .where(eq(addresses.id, buyer.addressId));
    const file = await createProduct({ db, type: "digital", priceCents: 900 });
    await addToCart({ api, buyer, productId: file.id });
    const method = await createShippingMethod({ db });
    for (const shippingMethodId of [undefined, method.id, "colis"]) {
      const opened = await requestPayment({ api, buyer, shippingMethodId, total: 9 });
      expect(opened.status, opened.text).toBe(200);
    }
    await db.update(shippingMethods).set({ isActive: false });
    const lamp = await createProduct({ db, priceCents: 100 });
    await addToCart({ api, buyer, productId: lamp.id });
    expect((await cartOf(api, buyer)).shipping).toBeNull();
    const opened = await requestPayment({ api, buyer, shippingMethodId: method.id, total: 10 });
    expect(opened.status, opened.text).toBe(200);
    await cards.pay(opened.json.clientSecret);
    await confirm({ api, buyer, secret: opened.json.clientSecret });
    const [order] = await ordersOf(db, buyer.id);
    expect(order).toMatchObject({ totalCents: 1000, shippingMethod: null, shippingCents: 0 });
    const [invoice] = await db
      .select()
      .from(invoices)
      .where(eq(invoices.orderId, order?.id ?? 0));
    expect(invoice?.snapshot.lines).toHaveLength(2);
  });

  test("may cost its shipping alone, above the minimum", async ({ api, database: db }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 0 });
    const { id } = await createShippingMethod({ db, priceCents: 49 });
    const little = await requestPayment({ api, buyer, shippingMethodId: id });
    expect(sentencesOf(little)[""]).toContain("doit être d'au moins 0,50");
    await db.update(shippingMethods).set({ priceCents: 50 });
    const opened = await requestPayment({ api, buyer, shippingMethodId: id, total: 0.5 });
    expect(opened.status, opened.text).toBe(200);
  });
});

test.describe("while a payment is open", () => {
  for (const [what, change] of [
    ["dearer", (db: Database) => db.update(shippingMethods).set({ priceCents: 990 })],
    ["switched off", (db: Database) => db.update(shippingMethods).set({ isActive: false })],
    ["deleted", (db: Database) => db.delete(shippingMethods)],
  ] as const)
    test(`the method is ${what}: the buyer pays the price that was shown`, async ({
      api,
      database: db,
      cards,
    }) => {
      const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
      const { id } = await createShippingMethod({ db, name: "Colis" });
      // Another method stays, so that a method is still required.
      if (what !== "deleted") await createShippingMethod({ db, priceCents: 490, position: 5 });
      const opened = await requestPayment({ api, buyer, shippingMethodId: id, total: 14.9 });
      expect(opened.status, opened.text).toBe(200);
      await change(db);
      // Requested again, as the page does before it pays: that is refused, and the payment stays open.
      const again = await requestPayment({ api, buyer, shippingMethodId: id, total: 14.9 });
      expect([409, 422]).toContain(again.status);
      const paid = await cards.pay(opened.json.clientSecret);
      expect(paid.json).toMatchObject({ status: "succeeded", amount: 1490 });
      const confirmed = await confirm({ api, buyer, secret: opened.json.clientSecret });
      expect(confirmed.json.orderTotal).toBe(14.9);
      const [order] = await ordersOf(db, buyer.id);
      expect(order).toMatchObject({ shippingMethod: "Colis", shippingCents: 490 });
    });

  test("another total is refused, and nothing is charged", async ({ api, database: db }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
    const { id } = await createShippingMethod({ db });
    await db.update(shippingMethods).set({ priceCents: 590 });
    for (const total of [10, 14.9]) {
      const refused = await requestPayment({ api, buyer, shippingMethodId: id, total });
      expect([refused.status, refused.json.error]).toEqual([
        409,
        "Votre panier a changé entre-temps. Vérifiez son nouveau total avant de payer.",
      ]);
    }
    expect(await pendingOf(db, buyer)).toEqual([]);
  });

  test("another method replaces the open payment", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
    const [slow, fast] = [
      await createShippingMethod({ db, priceCents: 300 }),
      await createShippingMethod({ db, priceCents: 900 }),
    ];
    const secretOf = async (shippingMethodId: number) => {
      const { status, text, json } = await requestPayment({ api, buyer, shippingMethodId });
      expect(status, text).toBe(200);
      return json.clientSecret;
    };
    const first = await secretOf(slow.id);
    expect(await secretOf(slow.id)).toBe(first);
    const second = await secretOf(fast.id);
    expect(second).not.toBe(first);
    expect((await cards.pay(first)).status).toBe(400);
    expect((await cards.pay(second)).json).toMatchObject({ amount: 1900 });
    await confirm({ api, buyer, secret: second });
    expect(await ordersOf(db, buyer.id)).toMatchObject([{ shippingCents: 900 }]);
  });

  test("a renamed method keeps the payment, with its new name", async ({ api, database: db }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const { id } = await createShippingMethod({ db, name: "Colis" });
    const first = await requestPayment({ api, buyer, shippingMethodId: id });
    await db.update(shippingMethods).set({ name: "Colis suivi" });
    const second = await requestPayment({ api, buyer, shippingMethodId: id });
    expect(second.json.clientSecret).toBe(first.json.clientSecret);
    expect(await pendingOf(db, buyer)).toMatchObject([{ shipping: { name: "Colis suivi" } }]);
  });

  test("two methods at once leave one payment", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
    const methods = [
      await createShippingMethod({ db, priceCents: 300 }),
      await createShippingMethod({ db, priceCents: 900 }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        requestPayment({ api, buyer, shippingMethodId: methods[i % 2]?.id }),
      ),
    );
    for (const { status } of answers) expect([200, 409, 503]).toContain(status);
    const [pending, ...others] = await pendingOf(db, buyer);
    expect(others).toEqual([]);
    const secrets = new Set(
      answers.flatMap(({ status, json }) => (status === 200 ? json.clientSecret : [])),
    );
    const paid = [];
    for (const secret of secrets)
      if ((await cards.pay(secret)).json.status === "succeeded") paid.push(paymentIdOf(secret));
    expect(paid).toEqual([pending?.paymentIntentId]);
  });
});
