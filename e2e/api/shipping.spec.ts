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
import { type Cards, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { buy } from "../refunding";

// Shipping methods, and what they add to a purchase. They count for every purchase in the database, so
// each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

const PATH = "/api/shipping_methods";

interface CartJson {
  shipping: { methods: object[]; missingToFree: number | null; served: object } | null;
}

const shippingOf = async (api: Api, { token }: Buyer) =>
  (await api.get<CartJson>("/api/cart", { token, accept: "application/json" })).json.shipping;

const pendingOf = async (db: Database, { id }: Buyer) =>
  (await db.select().from(checkouts).where(eq(checkouts.userId, id))).filter(
    ({ status }) => status === "pending",
  );

/** Pays a payment, and confirms the order. Returns the amount that was taken, in cents. */
async function pay({
  cards,
  ...options
}: {
  api: Api;
  buyer: Buyer;
  cards: Cards;
  secret: string;
}): Promise<number> {
  const paid = await cards.pay(options.secret);
  expect(paid.json.status).toBe("succeeded");
  expect((await confirm(options)).status).toBeLessThan(300);
  return paid.json.amount;
}

test("staff create, read, change and delete a method, and see who did", async ({
  api,
  database: db,
}) => {
  const { token, id: adminId } = await newAdmin(db);
  const created = await api.post<{ id: number }>(PATH, {
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
  const path = `${PATH}/${id}`;
  expect(created.headers.location).toBe(path);
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
    "@id": path,
    "@type": "ShippingMethod",
    ...whole,
  });

  // Of several saves of one version, one is accepted.
  const changes = { freeFrom: null, bands: [], active: false };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() =>
      api.put<{ detail: string }>(path, { token, json: { ...changes, version: 1 } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.detail).toBe(
    "Cet objet a été modifié entre-temps par Inès Garnier.",
  );
  const read = await api.get(path, { token, accept: "application/json" });
  expect(read.json).toEqual({ ...whole, ...changes, version: 2 });

  expect((await api.delete(path, { token })).status).toBe(204);
  for (const verb of ["GET", "PUT", "DELETE"])
    expect((await api.request(verb, path, { token, json: {} })).status).toBe(404);
  const history = await historyOf({ api, token, entity: "ShippingMethod", id });
  expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
  expect(history[1]?.user).toMatchObject({ id: adminId });
  expect(history[1]?.changes.map(({ field }) => field).sort()).toEqual(Object.keys(changes).sort());
});

test("staff list methods in order, filter and export them", async ({ api, database: db }) => {
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
  for (const [query, names] of Object.entries({
    "": ["Zèbre", "Éléphant", "Fourmi"],
    "order[name]=asc": ["Éléphant", "Fourmi", "Zèbre"],
    "active=true": ["Zèbre", "Fourmi"],
    "search=elep": ["Éléphant"],
  })) {
    const { json } = await api.get(`${PATH}?${query}`, { token, accept: "application/json" });
    expect(json, query).toMatchObject(names.map((name) => ({ name })));
  }
  const [heads = [], row = []] = linesOfCsv(
    await api.get(`${PATH}?search=fourmi`, { token, accept: "text/csv" }),
  );
  const cells = heads.map((head, index) => [head, row[index]]);
  expect(cells.slice(1)).toEqual([
    ["Nom", "Fourmi"],
    ["Prix (€)", "4,9"],
    ["Offerte à partir de (€)", "50"],
    ["Délai", "2 à 3 jours ouvrés"],
    ["Tranches de poids", "250 g : 2,90\u00a0€"],
    ["Actif", "Oui"],
    ["Ordre", "1"],
    ["Destinations", "France continentale"],
  ]);
});

test("a wrong method is refused in French, and not stored", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const REQUIRED = "Ce champ est obligatoire.";
  const WEIGHT = "Veuillez saisir un poids en grammes, sans décimale.";
  const AMOUNT = "Veuillez saisir un montant en euros, avec deux décimales au plus.";
  const ZONES =
    "Les zones sont une liste, parmi\u00a0: mainland, corsica, monaco, guadeloupe, martinique, guiana, reunion, mayotte, collectivities, army.";
  const CODES =
    "Un code postal a cinq chiffres, comme 69003, et un début de code en a deux à quatre, comme 974.";
  const NOWHERE = { zones: "Choisissez au moins une zone, ou saisissez un code postal." };
  const band = (maxWeight: number) => ({ maxWeight, price: 1 });
  for (const [json, sentences] of [
    [
      { name: undefined, price: undefined },
      { name: REQUIRED, price: REQUIRED },
    ],
    [{ name: " \u200b " }, { name: REQUIRED }],
    [{ name: "x".repeat(101) }, { name: "Ce champ doit contenir au plus 100 caractères." }],
    [{ price: -1 }, { price: "Le montant ne peut pas être négatif." }],
    [{ price: 1.999 }, { price: AMOUNT }],
    [{ freeFrom: "beaucoup" }, { freeFrom: AMOUNT }],
    [{ bands: "légères" }, { bands: "Les tranches doivent être une liste de poids et de prix." }],
    [{ bands: [band(1.5)] }, { "bands[0].maxWeight": WEIGHT }],
    [{ bands: [band(2 ** 31)] }, { "bands[0].maxWeight": WEIGHT }],
    [{ bands: [band(1), {}] }, { "bands[1].maxWeight": REQUIRED, "bands[1].price": REQUIRED }],
    [{ bands: [band(1), band(1)] }, { bands: "Deux tranches ont le même poids." }],
    [
      { bands: Array.from({ length: 21 }, (_, index) => band(index + 1)) },
      { bands: "Un mode de livraison a 20 tranches au plus." },
    ],
    [{ order: -1 }, { order: "L'ordre doit être un nombre entier à partir de 0." }],
    [{ zones: "corsica" }, { zones: ZONES }],
    [{ zones: ["paris"] }, { "zones[0]": ZONES }],
    [{ zones: [] }, NOWHERE],
    [{ zones: [], postalCodes: " , " }, NOWHERE],
    ...[["9"], ["690033"], [69003], "Lyon", { 69: true }].map(
      (postalCodes) => [{ postalCodes }, { postalCodes: CODES }] as const,
    ),
    [
      { postalCodes: Array.from({ length: 501 }, (_, index) => String(10_000 + index)) },
      { postalCodes: "Un mode de livraison a 500 codes postaux au plus." },
    ],
  ] as const) {
    const answer = await api.post(PATH, { token, json: { name: "Colis", price: 4.9, ...json } });
    expect(sentencesOf(answer), JSON.stringify(json).slice(0, 80)).toEqual(sentences);
  }
  expect(await db.$count(shippingMethods)).toBe(0);
  const { id } = await createShippingMethod({ db });
  expect(sentencesOf(await api.put(`${PATH}/${id}`, { token, json: { zones: [] } }))).toEqual(
    NOWHERE,
  );
});

test("pages follow the shipping methods", async ({ api, database: db, shop: { baseURL } }) => {
  const { token } = await newAdmin(db);
  const textOf = async (path: string) => {
    const answer = await fetch(baseURL + path);
    expect(answer.status, path).toBe(200);
    const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, "");
    return html.replace(/<!--.*?-->|<[^>]+>/g, " ").replace(/\s+/g, " ");
  };
  const { json: method } = await api.post<{ id: number }>(PATH, {
    token,
    json: {
      name: "Colis <vert>",
      price: 5.9,
      freeFrom: 60,
      delay: "2 à 3 jours ouvrés",
      bands: [
        { maxWeight: 5000, price: 8.9 },
        { maxWeight: 250, price: 2.9 },
      ],
      zones: ["mainland", "monaco"],
    },
  });
  const page = await textOf("/livraison-et-retours");
  for (const part of [
    "Colis &lt;vert&gt; Vers France continentale, Monaco",
    "Délai 2 à 3 jours ouvrés Offerte dès 60,00 € d’achats, hors fichiers",
    "jusqu’à 250 g 2,90 € jusqu’à 5 kg 8,90 €",
  ])
    expect(page).toContain(part);
  expect(await textOf("/contact")).toContain(
    "Livraison à partir de 2,90 €, 2 à 3 jours ouvrés Offerte dès 60,00 € d’achats, hors fichiers",
  );
  expect(await textOf("/")).toContain("Livraison offerte dès 60,00 € d’achats, hors fichiers");

  await api.put(`${PATH}/${method.id}`, { token, json: { active: false } });
  expect(await textOf("/livraison-et-retours")).toContain(
    "La livraison des objets est comprise dans leur prix.",
  );
  for (const path of ["/contact", "/"])
    expect(await textOf(path), path).not.toMatch(/Livraison (à partir|offerte)/);
});

test("a product's weight is whole grams, and none for files", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id } = await createProduct({ db });
  const save = (json: object, kind = "physical") =>
    api.put<{ weight: number | null }>(`/api/${kind}_products/${id}`, { token, json });
  for (const weight of [-1, 1.5, "lourd", 2 ** 31])
    expect(sentencesOf(await save({ weight })), String(weight)).toEqual({
      weight: "Le poids doit être un nombre entier de grammes, à partir de 0.",
    });
  for (const [json, weight] of [
    [{ weight: " 850 " }, 850],
    [{ name: "Lampe" }, 850],
    [{ weight: 0 }, 0],
    [{ weight: null }, null],
    [{ weight: 12 }, 12],
    [{ weight: "" }, null],
    [{ weight: 12 }, 12],
  ] as const)
    expect((await save(json)).json.weight, JSON.stringify(json)).toBe(weight);
  expect((await save({ filesize: 100 }, "digital")).json.weight).toBeNull();
});

test("a cart lists its methods, the places served, and what is missing to free", async ({
  api,
  database: db,
}) => {
  const buyer = await createBuyer(db);
  const lamp = await createProduct({ db, priceCents: 2000, weight: 400 });
  const file = await createProduct({ db, type: "digital", priceCents: 9000 });
  const home = { zones: ["mainland" as const, "corsica" as const], postalCodes: [] };
  const letter = { zones: [], postalCodes: ["974"] };
  const { id: homeId } = await createShippingMethod({
    db,
    name: "Domicile",
    priceCents: 690,
    freeFromCents: 6000,
    ...home,
  });
  const { id: letterId } = await createShippingMethod({
    db,
    name: "Lettre",
    delay: "",
    bands: [
      { maxGrams: 450, priceCents: 290 },
      { maxGrams: 900, priceCents: 450 },
    ],
    ...letter,
  });
  await createShippingMethod({ db, priceCents: 1, isActive: false, zones: ["mayotte"] });
  await addToCart({ api, buyer, productId: file.id });
  expect(await shippingOf(api, buyer)).toBeNull();

  const homeAt = (price: number) => ({
    id: homeId,
    name: "Domicile",
    price,
    delay: "2 à 3 jours ouvrés",
    ...home,
  });
  const letterAt = (price: number) => ({
    id: letterId,
    name: "Lettre",
    price,
    delay: "",
    ...letter,
  });
  for (const [methods, missingToFree] of [
    [[letterAt(2.9), homeAt(6.9)], 40],
    [[letterAt(4.5), homeAt(6.9)], 20],
    [[homeAt(0)], null],
  ]) {
    await addToCart({ api, buyer, productId: lamp.id });
    expect(await shippingOf(api, buyer)).toEqual({
      methods,
      missingToFree,
      served: { zones: ["mainland", "corsica"], postalCodes: ["974"] },
    });
  }
});

test.describe("a purchase", () => {
  test("with two VAT rates has its shipping on order, invoice, PDF and mail", async ({
    api,
    shop,
    database: db,
    cards,
    mailbox,
  }) => {
    const method = await createShippingMethod({ db, name: "Colis", priceCents: 499 });
    const { id, buyer, token, paymentId } = await buy({
      api,
      db,
      cards,
      items: [
        { name: "Lampe", image: "cactus-cierge.webp", priceCents: 3000, vatRateBp: 2000 },
        { name: "Livre", priceCents: 1000, vatRateBp: 550 },
        { name: "Guide", type: "digital", priceCents: 500 },
      ],
      shippingMethodId: method.id,
    });
    const payment = (await cards.books()).payments.find((each) => each.id === paymentId);
    expect(payment?.taken).toBe(4999);
    expect(await ordersOf(db, buyer.id)).toMatchObject([
      { totalCents: 4999, shippingMethod: "Colis", shippingCents: 499 },
    ]);
    for (const [path, reader] of [
      ["/api/my-orders", buyer.token],
      [`/api/orders_details/${id}`, buyer.token],
      [`/api/admin_orders/${id}`, token],
    ] as const) {
      const { json } = await api.get<object | object[]>(path, { token: reader });
      expect([json].flat(), path).toMatchObject([
        { shippingMethod: "Colis", shippingTotal: 4.99, total: 49.99 },
      ]);
    }

    const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, id));
    expect(invoice?.totalCents).toBe(4999);
    // 499 × 3000 / 4000 = 374.25 and 499 × 1000 / 4000 = 124.75: the cent goes to the books.
    const line = { kind: "shipping", name: "Livraison – Colis", quantity: 1 };
    expect(invoice?.snapshot.lines.slice(3)).toEqual([
      { ...line, unitPriceCents: 374, vatRateBp: 2000 },
      { ...line, unitPriceCents: 125, vatRateBp: 550 },
    ]);
    const path = `/api/invoices/${invoice?.id}/download`;
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
    const mailText = mail.text.replace(/\s+/g, " ");
    for (const part of ["Livraison – Colis : 4,99 €", "Lampe : 30,00 €", "Total TTC : 49,99 €"])
      expect(mailText).toContain(part);
    // A mail program that does not accept WebP gets a JPEG.
    const [, src = ""] = /\/product\/\d+"[^>]*><img[^>]*src="([^"]+)"/.exec(mail.html) ?? [];
    const { pathname, search } = new URL(src.replaceAll("&amp;", "&"));
    const picture = await fetch(shop.baseURL + pathname + search, { headers: { Accept: "*/*" } });
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  test("above the free amount has shipping of 0 €", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 6000 });
    const { id } = await createShippingMethod({ db, name: "Colis", freeFromCents: 6000 });
    const secret = await openPayment({ api, buyer, shippingMethodId: id });
    expect(await pay({ api, buyer, cards, secret })).toBe(6000);
    expect(await ordersOf(db, buyer.id)).toMatchObject([
      { totalCents: 6000, shippingMethod: "Colis", shippingCents: 0 },
    ]);
  });

  test("without a method takes the cheapest that fits", async ({ api, database: db }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    await createShippingMethod({ db, priceCents: 990 });
    const weak = await createShippingMethod({ db, bands: [{ maxGrams: 500, priceCents: 290 }] });
    const strong = await createShippingMethod({ db, bands: [{ maxGrams: 2000, priceCents: 590 }] });
    const off = await createShippingMethod({ db, isActive: false });
    const weigh = (weight: number) =>
      db.update(products).set({ weight }).where(eq(products.id, product.id));
    const refused = async (shippingMethodId?: unknown) =>
      sentencesOf(await requestPayment({ api, buyer, shippingMethodId }));
    for (const unknown of [off.id, 2 ** 31 - 1, 2 ** 40, "/api/users/1", "colis", {}, []])
      expect(await refused(unknown), String(unknown)).toEqual({
        shippingMethodId: "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.",
      });
    await weigh(501);
    expect(await refused(weak.id)).toEqual({
      shippingMethodId:
        "Ce mode de livraison ne convient pas au poids de votre panier. Veuillez en choisir un autre.",
    });
    const taken = async (shippingMethodId?: unknown) => {
      await openPayment({ api, buyer, shippingMethodId });
      const pending = await pendingOf(db, buyer);
      return pending.map(({ shipping, totalCents }) => [shipping?.methodId, totalCents]);
    };
    expect(await taken()).toEqual([[strong.id, 4880]]);
    await weigh(500);
    for (const given of [undefined, null, "", `${PATH}/${weak.id}`])
      expect(await taken(given)).toEqual([[weak.id, 4580]]);
    await weigh(2001);
    await db.update(shippingMethods).set({ bands: [{ maxGrams: 2000, priceCents: 590 }] });
    for (const given of [undefined, strong.id])
      expect(await refused(given)).toEqual({
        "": "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.",
      });
  });

  test("of files alone, or without any method, has no shipping", async ({
    api,
    database: db,
    cards,
  }) => {
    const buyer = await createBuyer(db);
    const away = { postalCode: "98800" };
    await db.update(addresses).set(away).where(eq(addresses.id, buyer.addressId));
    const file = await createProduct({ db, type: "digital", priceCents: 900 });
    await addToCart({ api, buyer, productId: file.id });
    const method = await createShippingMethod({ db });
    for (const shippingMethodId of [undefined, method.id, "colis"]) {
      const { status, text } = await requestPayment({ api, buyer, shippingMethodId, total: 9 });
      expect(status, text).toBe(200);
    }
    await db.update(shippingMethods).set({ isActive: false });
    const lamp = await createProduct({ db, priceCents: 100 });
    await addToCart({ api, buyer, productId: lamp.id });
    expect(await shippingOf(api, buyer)).toBeNull();
    const secret = await openPayment({ api, buyer, shippingMethodId: method.id });
    expect(await pay({ api, buyer, cards, secret })).toBe(1000);
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
    const { id: shippingMethodId } = await createShippingMethod({ db, priceCents: 49 });
    const little = await requestPayment({ api, buyer, shippingMethodId });
    expect(sentencesOf(little)[""]).toContain("doit être d'au moins 0,50");
    await db.update(shippingMethods).set({ priceCents: 50 });
    const enough = await requestPayment({ api, buyer, shippingMethodId, total: 0.5 });
    expect(enough.status, enough.text).toBe(200);
  });
});

test.describe("while a payment is open", () => {
  for (const [what, change, status] of [
    ["dearer", (db: Database) => db.update(shippingMethods).set({ priceCents: 990 }), 409],
    ["switched off", (db: Database) => db.update(shippingMethods).set({ isActive: false }), 422],
    ["deleted", (db: Database) => db.delete(shippingMethods), 409],
  ] as const)
    test(`the method is ${what}: the buyer pays the price that was shown`, async ({
      api,
      database: db,
      cards,
    }) => {
      const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
      const { id } = await createShippingMethod({ db, name: "Colis" });
      const secret = await openPayment({ api, buyer, shippingMethodId: id });
      await change(db);
      // Another method stays, so that a method is still required.
      if (what === "switched off") await createShippingMethod({ db, priceCents: 490 });
      // Requested again, as the page does before it pays: that is refused, and the payment stays open.
      const again = await requestPayment({ api, buyer, shippingMethodId: id, total: 14.9 });
      expect(again.status, again.text).toBe(status);
      expect(await pay({ api, buyer, cards, secret })).toBe(1490);
      expect(await ordersOf(db, buyer.id)).toMatchObject([
        { totalCents: 1490, shippingMethod: "Colis", shippingCents: 490 },
      ]);
    });

  test("a renamed method keeps it, another one replaces it", async ({
    api,
    database: db,
    cards,
  }) => {
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 1000 });
    const slow = await createShippingMethod({ db, priceCents: 300 });
    const fast = await createShippingMethod({ db, priceCents: 900 });
    const open = ({ id }: { id: number }) => openPayment({ api, buyer, shippingMethodId: id });
    const first = await open(slow);
    await db.update(shippingMethods).set({ name: "Colis suivi" });
    expect(await open(slow)).toBe(first);
    expect(await pendingOf(db, buyer)).toMatchObject([{ shipping: { name: "Colis suivi" } }]);
    const second = await open(fast);
    expect(second).not.toBe(first);
    expect((await cards.pay(first)).status).toBe(400);
    expect(await pay({ api, buyer, cards, secret: second })).toBe(1900);
    expect(await ordersOf(db, buyer.id)).toMatchObject([{ shippingCents: 900 }]);
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
