import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { createAddress } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { checkouts } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines } from "@/db/schema/orders";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { historyOf, newAdmin, sentencesOf } from "../admin";
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
import { expect, test } from "../fixtures";
import { requestRefund, rowsOf } from "../refunding";

// Where the shop delivers, and the VAT there. Shipping methods count for every purchase in the database,
// so each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

const PATH = "/api/shipping_methods";

/** Moves the buyer to another postal code. */
const moveTo = (db: Database, { addressId }: Buyer, postalCode: string) =>
  db.update(addresses).set({ postalCode }).where(eq(addresses.id, addressId));

const linesOf = (db: Database, orderId: number) =>
  db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(orderLines.id);

const ratesOf = async (db: Database, orderId: number) =>
  (await linesOf(db, orderId)).map(({ vatRateBp }) => vatRateBp);

test.describe("a shipping method", () => {
  test("delivers to mainland France, or to chosen zones", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const create = async (json: object) => {
      const answer = await api.post<{ id: number }>(PATH, {
        token,
        json: { name: "Colis", price: 4.9, ...json },
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    };
    for (const json of [{}, { zones: null }])
      expect(await create(json)).toMatchObject({ zones: ["mainland"], postalCodes: [] });
    expect(await create({ postalCodes: ["974", "97400", "974"] })).toMatchObject({
      zones: [],
      postalCodes: ["974", "97400"],
    });
    const zones = ["mainland", "corsica"];
    const postalCodes = ["69003", "974", "98000"];
    const method = await create({
      zones: ["corsica", "mainland", "corsica"],
      postalCodes: " 98000, 974;\n69003 ",
    });
    expect(method).toMatchObject({ zones, postalCodes });
    const { id } = method;
    const change = async (json: object) => (await api.put(`${PATH}/${id}`, { token, json })).json;
    // A request without destinations leaves them unchanged.
    expect(await change({ price: 5 })).toMatchObject({ price: 5, zones, postalCodes });
    expect(await change({ zones: [] })).toMatchObject({ zones: [], postalCodes });
    const history = await historyOf({ api, token, entity: "ShippingMethod", id });
    expect(history[0]?.changes.map(({ field }) => field)).toEqual(["zones"]);
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
    for (const [postalCode, id] of [
      ["97400", mainland.id],
      ["99123", mainland.id],
      ["97400", undefined],
    ] as const)
      expect(await answerAt(postalCode, id)).toEqual({
        shippingAddressId: `Nous ne livrons pas au code postal ${postalCode}. Veuillez choisir une autre adresse de livraison.`,
      });

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
    return { api, buyer, shippingMethodId: method.id };
  }

  for (const { shipping, billing, rates, notes = [] } of [
    { shipping: "97400", billing: "97400", rates: [850, 210, 850, 850, 210] },
    {
      shipping: "98800",
      billing: "98800",
      rates: [0, 0, 0, 0],
      notes: [
        "Exonération de TVA, art. 262, I, 1° du CGI",
        "TVA non applicable, art. 259 D du CGI",
      ],
    },
    // Objects are taxed where they are delivered, files where they are billed.
    {
      shipping: "20000",
      billing: "97600",
      rates: [2000, 210, 0, 2000, 210],
      notes: ["TVA non applicable en Guyane et à Mayotte, art. 294, 1 du CGI"],
    },
  ])
    test(`of a parcel to ${shipping} and an invoice to ${billing} is that of the places, and the price stays`, async ({
      api,
      database: db,
      cards,
    }) => {
      const cart = await cartOf({ api, db });
      const { buyer } = cart;
      await moveTo(db, buyer, shipping);
      const home = { db, userId: buyer.id, type: "billing", postalCode: billing } as const;
      const { id: billingAddressId } = await createAddress(home);
      const opened = await requestPayment({ ...cart, billingAddressId });
      const secret = opened.json.clientSecret;
      await cards.pay(secret);
      // The request names one address for both purposes, but the frozen addresses count.
      const { json: order } = await confirm({ api, buyer, secret });
      expect(order.orderTotal).toBe(49);
      const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, order.orderId));
      const snapshot = invoice?.snapshot;
      // The lamp, the book, the file, and their shipping.
      expect(snapshot?.lines.map(({ vatRateBp }) => vatRateBp)).toEqual(rates);
      const lines = await linesOf(db, order.orderId);
      expect(lines.map(({ vatRateBp }) => vatRateBp)).toEqual(rates.slice(0, 3));
      expect(snapshot?.vatNotes ?? []).toEqual(notes);
      expect(snapshot?.isVatExempt).toBeUndefined();
      expect(snapshot?.seller.vatNumber).not.toBe("");
      // The buyer's page mentions VAT only where there is some.
      const detail = await api.get(`/api/orders_details/${order.orderId}`, { token: buyer.token });
      expect(detail.json).toMatchObject({ vatIncluded: rates.some((rate) => rate > 0) });

      // The refund has the same rates and reasons.
      const { token } = await newAdmin(db);
      const items = lines.map(({ id, quantity }) => ({ item: id, quantity }));
      const paid = { id: order.orderId, token };
      const refund = await requestRefund({ api, order: paid, items, shipping: true });
      expect(refund.status, refund.text).toBe(201);
      const [creditNote] = (await rowsOf(db, order.orderId)).creditNotes;
      expect(creditNote?.snapshot.lines).toEqual(snapshot?.lines);
      expect(creditNote?.snapshot.vatNotes).toEqual(snapshot?.vatNotes);
    });

  test("of another place opens another payment", async ({ api, database: db, cards }) => {
    const cart = await cartOf({ api, db });
    const { buyer } = cart;
    const open = async (postalCode: string) => {
      await moveTo(db, buyer, postalCode);
      return openPayment(cart);
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
    expect(await ratesOf(db, json.orderId)).toEqual([2000, 210, 2000]);
    expect(await ordersOf(db, buyer.id)).toMatchObject([{ shippingPostalCode: "20000" }]);
    const opened = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(opened.map(({ status }) => status)).not.toContain("pending");
  });

  test("of an order by staff follows its addresses", async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const { id: user } = await createBuyer(db);
    const { id: book } = await createProduct({ db, priceCents: 1000, vatRateBp: 550 });
    const { id: lamp } = await createProduct({ db, priceCents: 3000 });
    const place = (postalCode: string) => ({
      shippingStreet: "1 rue Fesch",
      shippingCity: "Ajaccio",
      shippingPostalCode: postalCode,
      billingStreet: "1 rue Fesch",
      billingCity: "Ajaccio",
      billingPostalCode: postalCode,
    });
    const created = await api.post<{ id: number; orderItems: { id: number }[] }>(
      "/api/admin_orders",
      {
        token,
        json: {
          user,
          total: 10,
          invoice_pdf_path: "facture.pdf",
          orderItems: [{ product: book, quantity: 1 }],
          ...place("20000"),
        },
      },
    );
    const { id, orderItems } = created.json;
    expect(await ratesOf(db, id)).toEqual([210]);
    // Staff change the destination to La Réunion and add a lamp. The book keeps its rate, because it was
    // bought before.
    await api.put(`/api/admin_orders/${id}`, {
      token,
      json: {
        ...place("97400"),
        total: 40,
        orderItems: [
          { id: orderItems[0]?.id, product: book, quantity: 1 },
          { product: lamp, quantity: 1 },
        ],
      },
    });
    expect(await ratesOf(db, id)).toEqual([210, 850]);
    const { json: invoice } = await api.post<{ id: number }>("/api/admin/invoices_create", {
      token,
      json: { user, order: id, totalAmount: 40, pdfPath: "facture.pdf", paymentId: "virement" },
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
