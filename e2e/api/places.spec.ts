import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { createAddress } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { checkouts } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  ordersOf,
  requestPayment,
} from "../buying";
import type { Cards } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { requestRefund, rowsOf } from "../refunding";

// Where the shop delivers, and the VAT there. Shipping methods count for every purchase in the database,
// so each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

const PATH = "/api/shipping_methods";

/** Moves the buyer to another postal code. */
const moveTo = (db: Database, { addressId }: Buyer, postalCode: string) =>
  db.update(addresses).set({ postalCode }).where(eq(addresses.id, addressId));

/** Pays the cart. Returns the order with its lines and its invoice. */
async function purchase({
  api,
  db,
  cards,
  buyer,
  ...more
}: {
  api: Api;
  db: Database;
  cards: Cards;
  buyer: Buyer;
  shippingMethodId?: unknown;
  shippingAddressId?: unknown;
  billingAddressId?: unknown;
}) {
  const opened = await requestPayment({ api, buyer, ...more });
  expect(opened.status, opened.text).toBe(200);
  await cards.pay(opened.json.clientSecret);
  const { json } = await confirm({ api, buyer, secret: opened.json.clientSecret });
  const id = json.orderId;
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, id));
  if (!order || !invoice) throw new Error("There is no order, or no invoice.");
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
    .orderBy(orderLines.id);
  return { order, invoice, lines };
}

test.describe("a shipping method", () => {
  test("delivers to mainland France, or to chosen zones", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    interface Method {
      id: number;
      zones: string[];
      postalCodes: string[];
    }
    const create = async (json: object) => {
      const {
        status,
        text,
        json: method,
      } = await api.post<Method>(PATH, {
        token,
        json: { name: "Colis", price: 4.9, ...json },
      });
      expect(status, text).toBe(201);
      return method;
    };
    expect(await create({})).toMatchObject({ zones: ["mainland"], postalCodes: [] });
    expect(await create({ zones: null })).toMatchObject({ zones: ["mainland"] });
    expect(await create({ postalCodes: ["974", "97400", "974"] })).toMatchObject({
      zones: [],
      postalCodes: ["974", "97400"],
    });
    const { id } = await create({
      zones: ["corsica", "mainland", "corsica"],
      postalCodes: " 98000, 974;\n69003 ",
    });
    const read = async () =>
      (await api.get<Method>(`${PATH}/${id}`, { token, accept: "application/json" })).json;
    expect(await read()).toMatchObject({
      zones: ["mainland", "corsica"],
      postalCodes: ["69003", "974", "98000"],
    });
    // A request without destinations leaves them unchanged.
    await api.put(`${PATH}/${id}`, { token, json: { price: 5 } });
    expect(await read()).toMatchObject({ price: 5, zones: ["mainland", "corsica"] });
    await api.put(`${PATH}/${id}`, { token, json: { zones: [] } });
    expect(await read()).toMatchObject({ zones: [], postalCodes: ["69003", "974", "98000"] });
    const history = await historyOf({ api, token, entity: "ShippingMethod", id });
    expect(history[0]?.changes.map(({ field }) => field)).toEqual(["zones"]);
  });

  test("with no zone, or an unknown one, is refused in French", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const ZONES =
      "Les zones sont une liste, parmi : mainland, corsica, monaco, guadeloupe, martinique, guiana, reunion, mayotte, collectivities, army.";
    const CODES =
      "Un code postal a cinq chiffres, comme 69003, et un début de code en a deux à quatre, comme 974.";
    const NOWHERE = "Choisissez au moins une zone, ou saisissez un code postal.";
    for (const [json, sentences] of [
      [{ zones: "corsica" }, { zones: ZONES }],
      [{ zones: ["paris"] }, { "zones[0]": ZONES }],
      [{ zones: [] }, { zones: NOWHERE }],
      [{ zones: [], postalCodes: " , " }, { zones: NOWHERE }],
      ...[["9"], ["690033"], [69003], "Lyon", { 69: true }].map(
        (postalCodes) => [{ postalCodes }, { postalCodes: CODES }] as const,
      ),
      [
        { postalCodes: Array.from({ length: 501 }, (_, index) => String(10_000 + index)) },
        { postalCodes: "Un mode de livraison a 500 codes postaux au plus." },
      ],
    ] as const) {
      const answer = await api.post(PATH, {
        token,
        json: { name: "Colis", price: 4.9, ...json },
        mayFail: true,
      });
      expect(sentencesOf(answer), JSON.stringify(json).slice(0, 80)).toEqual(sentences);
    }
    expect(await db.select().from(shippingMethods)).toEqual([]);
    const { id } = await createShippingMethod({ db });
    const emptied = await api.put(`${PATH}/${id}`, { token, json: { zones: [] }, mayFail: true });
    expect(sentencesOf(emptied)).toEqual({ zones: NOWHERE });
  });

  test("is accepted only for an address in its zones", async ({ api, database: db }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    const mainland = await createShippingMethod({ db, priceCents: 290 });
    const corsica = await createShippingMethod({
      db,
      zones: ["corsica"],
      bands: [{ maxGrams: 500, priceCents: 990 }],
    });
    const answerAt = async (postalCode: string, shippingMethodId?: number) => {
      await moveTo(db, buyer, postalCode);
      const answer = await requestPayment({ api, buyer, shippingMethodId });
      return answer.status === 200 ? "ok" : sentencesOf(answer);
    };
    expect(await answerAt("69003", mainland.id)).toBe("ok");
    expect(await answerAt("20000", corsica.id)).toBe("ok");
    const elsewhere = {
      shippingMethodId:
        "Ce mode de livraison ne dessert pas cette adresse. Veuillez en choisir un autre.",
    };
    expect(await answerAt("69003", corsica.id)).toEqual(elsewhere);
    expect(await answerAt("20000", mainland.id)).toEqual(elsewhere);
    for (const postalCode of ["97400", "98800", "97150", "98000", "00805", "99123"])
      expect(await answerAt(postalCode, mainland.id), postalCode).toEqual({
        shippingAddressId: `Nous ne livrons pas au code postal ${postalCode}. Veuillez choisir une autre adresse de livraison.`,
      });
    // A request without a shipping method is refused too.
    expect(await answerAt("97400")).toHaveProperty("shippingAddressId");

    // Only the weight prevents the delivery to Corsica.
    await api.put(`/api/physical_products/${product.id}`, {
      token: (await newAdmin(db)).token,
      json: { weight: 501 },
    });
    expect(await answerAt("20000", corsica.id)).toEqual({
      "": "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.",
    });
    expect(await answerAt("69003", mainland.id)).toBe("ok");
  });

  test("names its zones in the cart, with all places served", async ({ api, database: db }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    await createShippingMethod({ db, zones: ["mainland", "corsica"] });
    await createShippingMethod({ db, zones: [], postalCodes: ["974"], priceCents: 1990 });
    await createShippingMethod({
      db,
      zones: ["mayotte"],
      bands: [{ maxGrams: 1, priceCents: 1 }],
    });
    const { json } = await api.get<{
      vatIncluded: boolean;
      shipping: { methods: object[]; served: object };
    }>("/api/cart", { token: buyer.token, accept: "application/json" });
    expect(json.vatIncluded).toBe(true);
    expect(json.shipping.methods).toMatchObject([
      { zones: ["mayotte"], postalCodes: [] },
      { zones: ["mainland", "corsica"], postalCodes: [] },
      { zones: [], postalCodes: ["974"] },
    ]);
    expect(json.shipping.served).toEqual({
      zones: ["mainland", "corsica", "mayotte"],
      postalCodes: ["974"],
    });
  });
});

test.describe("VAT", () => {
  /** A lamp of 30 €, a book of 10 € and a file of 5 €, to be sent for 4 €. */
  async function cartOf({ api, db }: { api: Api; db: Database }) {
    const buyer = await createBuyer(db);
    const products = [
      await createProduct({ db, name: "Lampe", priceCents: 3000, vatRateBp: 2000 }),
      await createProduct({ db, name: "Livre", priceCents: 1000, vatRateBp: 550 }),
      await createProduct({ db, name: "Guide", type: "digital", priceCents: 500 }),
    ];
    for (const { id: productId } of products) await addToCart({ api, buyer, productId });
    const method = await createShippingMethod({
      db,
      name: "Colis",
      priceCents: 400,
      zones: ["mainland", "corsica", "reunion", "guiana", "collectivities"],
    });
    return { buyer, shippingMethodId: method.id };
  }

  for (const [postalCode, rates, sums, notes] of [
    [
      "97400",
      [850, 210, 850],
      ["8,5 % 35,02 € 2,98 € 38,00 €", "2,1 % 10,77 € 0,23 € 11,00 €"],
      [],
    ],
    [
      "98800",
      [0, 0, 0],
      ["0 % 49,00 € 0,00 € 49,00 €"],
      ["Exonération de TVA, art. 262, I, 1° du CGI", "TVA non applicable, art. 259 D du CGI"],
    ],
  ] as const)
    test(`at ${postalCode} is that of the place, and the price stays`, async ({
      api,
      shop,
      database: db,
      cards,
    }) => {
      const { buyer, shippingMethodId } = await cartOf({ api, db });
      await moveTo(db, buyer, postalCode);
      const bought = { api, db, cards, buyer, shippingMethodId };
      const { order, invoice, lines } = await purchase(bought);
      expect(order.totalCents).toBe(4900);
      expect(lines.map(({ vatRateBp }) => vatRateBp)).toEqual(rates);
      expect(invoice.snapshot.vatNotes ?? []).toEqual(notes);
      expect(invoice.snapshot.isVatExempt).toBeUndefined();
      const { token } = buyer;
      const pdf = `/api/invoices/${invoice.id}/download`;
      const text = await textOfPdf(await downloadPdf({ shop, path: pdf, token }));
      for (const part of [...sums, ...notes, "Total TTC 49,00 €"]) expect(text).toContain(part);
      expect(invoice.snapshot.seller.vatNumber).not.toBe("");
      // The buyer's page mentions VAT only where there is some.
      const path = `/api/orders_details/${order.id}`;
      const detail = await api.get<{ vatIncluded: boolean }>(path, { token });
      expect(detail.json.vatIncluded).toBe(rates[0] > 0);

      // The refund has the same rates and reasons.
      const items = lines.map(({ id, quantity }) => ({ item: id, quantity }));
      const paid = { id: order.id, token: (await newAdmin(db)).token };
      const refund = await requestRefund({ api, order: paid, items, shipping: true });
      expect(refund.status, refund.text).toBe(201);
      const [creditNote] = (await rowsOf(db, order.id)).creditNotes;
      expect(creditNote?.snapshot.lines).toEqual(invoice.snapshot.lines);
      expect(creditNote?.snapshot.vatNotes).toEqual(invoice.snapshot.vatNotes);
    });

  test("of objects follows delivery, of files billing", async ({ api, database: db, cards }) => {
    const { buyer, shippingMethodId } = await cartOf({ api, db });
    const home = await createAddress({
      db,
      userId: buyer.id,
      type: "billing",
      postalCode: "97600",
    });
    await moveTo(db, buyer, "20000");
    const bought = { api, db, cards, buyer, shippingMethodId };
    // confirm-order gets the same address for both purposes, but uses the frozen addresses.
    const { lines, invoice } = await purchase({ ...bought, billingAddressId: home.id });
    expect(lines.map(({ vatRateBp }) => vatRateBp)).toEqual([2000, 210, 0]);
    expect(invoice.snapshot.vatNotes).toEqual([
      "TVA non applicable en Guyane et à Mayotte, art. 294, 1 du CGI",
    ]);
  });

  test("of another place opens another payment", async ({ api, database: db, cards }) => {
    const { buyer, shippingMethodId } = await cartOf({ api, db });
    const open = async (postalCode: string) => {
      await moveTo(db, buyer, postalCode);
      const { json, status, text } = await requestPayment({ api, buyer, shippingMethodId });
      expect(status, text).toBe(200);
      return json.clientSecret;
    };
    const lyon = await open("69003");
    expect(await open("75001")).toBe(lyon);
    const ajaccio = await open("20000");
    expect(ajaccio).not.toBe(lyon);
    expect((await cards.pay(lyon)).status).toBe(400);
    // The address is edited after the payment was opened: the frozen address counts.
    await moveTo(db, buyer, "98800");
    await cards.pay(ajaccio);
    const { json } = await confirm({ api, buyer, secret: ajaccio });
    const rates = await db
      .select({ rate: orderLines.vatRateBp })
      .from(orderLines)
      .where(eq(orderLines.orderId, json.orderId))
      .orderBy(orderLines.id);
    expect(rates.map(({ rate }) => rate)).toEqual([2000, 210, 2000]);
    expect(await ordersOf(db, buyer.id)).toMatchObject([{ shippingPostalCode: "20000" }]);
    const pending = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(pending.filter(({ status }) => status === "pending")).toEqual([]);
  });

  test("of an order by staff follows its addresses", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const { id: userId } = await createBuyer(db);
    const book = await createProduct({ db, priceCents: 1000, vatRateBp: 550 });
    const lamp = await createProduct({ db, priceCents: 3000 });
    const place = (postalCode: string) => ({
      shippingStreet: "1 rue Fesch",
      shippingCity: "Ajaccio",
      shippingPostalCode: postalCode,
      billingStreet: "1 rue Fesch",
      billingCity: "Ajaccio",
      billingPostalCode: postalCode,
    });
    const order = {
      user: `/api/users/${userId}`,
      total: 10,
      invoice_pdf_path: "facture.pdf",
      orderItems: [{ product: book.id, quantity: 1 }],
    };
    const created = await api.post<{ id: number; orderItems: { id: number }[] }>(
      "/api/admin_orders",
      { token, json: { ...order, ...place("20000") } },
    );
    expect(created.status, created.text).toBe(201);
    const { id } = created.json;
    const ratesOf = async () =>
      (
        await db
          .select({ rate: orderLines.vatRateBp })
          .from(orderLines)
          .where(eq(orderLines.orderId, id))
          .orderBy(orderLines.id)
      ).map(({ rate }) => rate);
    expect(await ratesOf()).toEqual([210]);
    // Staff change the destination to La Réunion and add a lamp. The book keeps its rate, because it was
    // bought before.
    const changed = await api.put(`/api/admin_orders/${id}`, {
      token,
      json: {
        ...place("97400"),
        total: 40,
        orderItems: [
          { id: created.json.orderItems[0]?.id, product: book.id, quantity: 1 },
          { product: lamp.id, quantity: 1 },
        ],
      },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(await ratesOf()).toEqual([210, 850]);

    const { json: invoice } = await api.post<{ id: number }>("/api/admin/invoices_create", {
      token,
      json: {
        user: userId,
        order: id,
        totalAmount: 40,
        pdfPath: "facture.pdf",
        paymentId: "virement",
      },
    });
    const [row] = await db.select().from(invoices).where(eq(invoices.id, invoice.id));
    expect(row?.snapshot.lines.map(({ vatRateBp }) => vatRateBp)).toEqual([210, 850]);
  });
});

test("the dashboard counts missing weights if needed", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const counted = async () => {
    const { json } = await api.get<{ waiting: { withoutWeight: number } }>("/api/admin/dashboard", {
      token,
    });
    return json.waiting.withoutWeight;
  };
  const bands = [{ maxGrams: 500, priceCents: 290 }];
  await createShippingMethod({ db });
  await createShippingMethod({ db, bands, isActive: false });
  await createProduct({ db, weight: null });
  expect(await counted()).toBe(0);
  await db.update(shippingMethods).set({ isActive: true });
  const before = await counted();
  expect(before).toBeGreaterThan(0);
  await createProduct({ db, weight: null });
  await createProduct({ db, weight: 0 });
  await createProduct({ db, type: "digital" });
  expect(await counted()).toBe(before + 1);
});
