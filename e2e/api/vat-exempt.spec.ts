import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { invoices } from "@/db/schema/invoices";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { newAdmin, ORDER_ADDRESSES, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { confirm, createBuyer, createBuyerWithCart, openPayment } from "../buying";
import type { Cards } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { buy, type PaidOrder, requestRefund, rowsOf } from "../refunding";

// A seller outside VAT (franchise en base), and a seller who becomes liable to VAT or stops being so. The
// shop has one seller, so each test begins and ends with the demonstration's seller.

const SELLER = "/api/admin/seller";
const NOTE = "TVA non applicable, art. 293 B du CGI";
const KNOWN = {
  legalName: "Les Tisserands",
  address: "4 rue du Fil\n59100 Roubaix",
  siren: "552081317",
  vatNumber: "FR03552081317",
  email: "compta@tisserands.test",
};

async function saveSeller({ api, db }: { api: Api; db: Database }, json: object) {
  const { token } = await newAdmin(db);
  const answer = await api.put<{ vatExempt: boolean; vatNumber: string }>(SELLER, { token, json });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** The seller before the test. */
let former: object | undefined;

test.beforeEach(async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { json } = await api.get<object>(SELLER, { token, accept: "application/json" });
  former = { ...json, version: null };
  await saveSeller({ api, db }, { ...KNOWN, vatExempt: false });
});
test.afterEach(async ({ api, database: db }) => {
  await saveSeller({ api, db }, { ...former });
  await db.delete(shippingMethods);
});

const invoiceOf = async (db: Database, orderId: number) => {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, orderId));
  if (!invoice) throw new Error("There is no invoice.");
  return invoice;
};

/** Buys a lamp and a book, sent for 4 €. */
async function buyTwo(context: { api: Api; db: Database; cards: Cards }) {
  const colis = { db: context.db, name: "Colis", priceCents: 400 };
  const { id: shippingMethodId } = await createShippingMethod(colis);
  return buy({
    ...context,
    items: [
      { name: "Lampe", priceCents: 3000, vatRateBp: 2000 },
      { name: "Livre", priceCents: 1000, vatRateBp: 550 },
    ],
    shippingMethodId,
  });
}

/** Gives the first product's money back. Returns the credit note. */
async function refundFirst({ api, db, order }: { api: Api; db: Database; order: PaidOrder }) {
  const items = [{ item: order.lines[0]?.id, quantity: 1 }];
  const refund = await requestRefund({ api, order, items });
  expect(refund.status, refund.text).toBe(201);
  return (await rowsOf(db, order.id)).creditNotes[0]?.snapshot;
}

const readOrder = async (api: Api, { id, buyer: { token } }: PaidOrder) =>
  (await api.get(`/api/orders_details/${id}`, { token })).json;

/** Mentions of VAT, except the note that says why there is none. */
const vatWords = (text: string) =>
  text.replaceAll(NOTE, "").match(/TVA|TTC|\bHT\b|taxes comprises/g);

test("a seller without VAT needs a SIREN, but no VAT number", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const REQUIRED = "Ce champ est obligatoire.";
  const expectRefused = async (json: object, sentences: object) =>
    expect(sentencesOf(await api.put(SELLER, { token, json }))).toEqual(sentences);
  await expectRefused({ vatNumber: "" }, { vatNumber: REQUIRED });
  await expectRefused({ vatExempt: true, vatNumber: "", siren: "" }, { siren: REQUIRED });
  await expectRefused({ vatExempt: "oui" }, { vatExempt: "Ce champ doit être vrai ou faux." });
  const exempt = { vatExempt: true, vatNumber: "" };
  expect(await saveSeller({ api, db }, exempt)).toMatchObject(exempt);
  // A request without the field leaves it unchanged.
  expect(await saveSeller({ api, db }, { phone: "03 20 00 00 00" })).toMatchObject(exempt);
  // A given VAT number is still checked.
  await expectRefused({ vatNumber: "FR04552081317" }, { vatNumber: expect.any(String) });
  // A seller under VAT needs the number.
  await expectRefused({ vatExempt: false }, { vatNumber: REQUIRED });
});

test("pages of the shop have no word of VAT", async ({ api, shop, database: db }) => {
  const { buyer, product } = await createBuyerWithCart({ api, db });
  const pageText = async (path: string) => {
    const response = await fetch(`${shop.baseURL}${path}`);
    expect(response.status).toBe(200);
    return (await response.text()).replaceAll(/<script.*?<\/script>/gs, "");
  };
  const cart = async () =>
    (await api.get<{ vatIncluded: boolean }>("/api/cart", { token: buyer.token })).json;
  expect(vatWords(await pageText(`/product/${product.id}`))).toEqual(["TVA"]);
  expect(await pageText("/mentions-legales")).toContain("FR03 552081317");
  expect((await cart()).vatIncluded).toBe(true);

  await saveSeller({ api, db }, { vatExempt: true });
  for (const path of [`/product/${product.id}`, "/", "/products", "/mentions-legales"])
    expect(vatWords(await pageText(path)), path).toBeNull();
  expect(await pageText("/mentions-legales")).not.toContain("FR03");
  expect((await cart()).vatIncluded).toBe(false);
});

test("no paper or mail has VAT, even once the seller is under VAT again", async ({
  api,
  database: db,
  cards,
  mailbox,
}) => {
  await saveSeller({ api, db }, { vatExempt: true });
  const order = await buyTwo({ api, db, cards });
  expect(order.lines.map(({ vatRateBp }) => vatRateBp)).toEqual([0, 0]);
  expect((await invoiceOf(db, order.id)).snapshot).toMatchObject({
    isVatExempt: true,
    vatNotes: [NOTE],
    seller: { siren: "552 081 317", vatNumber: "" },
    lines: Array(3).fill({ vatRateBp: 0 }),
  });
  const mail = await mailbox.waitForMail({ to: order.buyer.email });
  expect(mail.text.replace(/\s+/g, " ")).toContain("Total : 44,00 €");
  // The terms are the seller's own text.
  expect(vatWords(`${mail.subject} ${mail.text} ${mail.html}`)).toBeNull();

  await saveSeller({ api, db }, { vatExempt: false });
  expect(await readOrder(api, order)).toMatchObject({ vatIncluded: false });
  expect(await refundFirst({ api, db, order })).toMatchObject({
    isVatExempt: true,
    vatNotes: [NOTE],
    lines: [{ vatRateBp: 0 }],
    seller: { vatNumber: "" },
  });
});

test("an order with VAT is refunded with VAT", async ({ api, shop, database: db, cards }) => {
  const order = await buyTwo({ api, db, cards });
  const path = `/api/invoices/${(await invoiceOf(db, order.id)).id}/download`;
  const read = async () => textOfPdf(await downloadPdf({ shop, path, token: order.buyer.token }));
  const before = await read();
  expect(before).toContain("Lampe 1 25,00 € 20 % 30,00 € 30,00 €");
  await saveSeller({ api, db }, { vatExempt: true, vatNumber: "" });
  expect(await read()).toBe(before);
  expect(await readOrder(api, order)).toMatchObject({ vatIncluded: true });
  const note = await refundFirst({ api, db, order });
  expect(note?.isVatExempt).toBeUndefined();
  expect(note).toMatchObject({
    lines: [{ vatRateBp: 2000, unitPriceCents: 3000 }],
    seller: { vatNumber: "FR03 552081317" },
  });
});

for (const isExempt of [true, false])
  test(`a payment opened ${isExempt ? "outside" : "under"} VAT stays so when the seller changes`, async ({
    api,
    database: db,
    cards,
  }) => {
    await saveSeller({ api, db }, { vatExempt: isExempt });
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 3000 });
    const secret = await openPayment({ api, buyer });
    await saveSeller({ api, db }, { vatExempt: !isExempt });
    await cards.pay(secret);
    const { json } = await confirm({ api, buyer, secret });
    const { snapshot } = await invoiceOf(db, json.orderId);
    expect(snapshot.isVatExempt ?? false).toBe(isExempt);
    expect(snapshot).toMatchObject({
      lines: [{ vatRateBp: isExempt ? 0 : 2000 }],
      seller: { vatNumber: isExempt ? "" : "FR03 552081317" },
    });
  });

test("a new payment follows the seller's VAT status", async ({ api, database: db, cards }) => {
  const { buyer } = await createBuyerWithCart({ api, db, priceCents: 3000 });
  const first = await openPayment({ api, buyer });
  await saveSeller({ api, db }, { vatExempt: true });
  const second = await openPayment({ api, buyer });
  expect((await cards.pay(first)).status).toBe(400);
  await cards.pay(second);
  const { json } = await confirm({ api, buyer, secret: second });
  expect((await invoiceOf(db, json.orderId)).snapshot).toMatchObject({ isVatExempt: true });
});

test("an invoice by hand follows the order's VAT status", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: user } = await createBuyer(db);
  const { id: product } = await createProduct({ db, priceCents: 1000 });
  const create = async (path: string, json: object) => {
    const answer = await api.post<{ id: number }>(path, { token, json });
    expect(answer.status, answer.text).toBe(201);
    return answer.json.id;
  };
  const orderByHand = () =>
    create("/api/admin_orders", {
      user,
      total: 10,
      orderItems: [{ product, quantity: 1 }],
      ...ORDER_ADDRESSES,
      invoice_pdf_path: "facture.pdf",
    });
  const invoiceByHand = (order?: number) =>
    create("/api/admin/invoices_create", {
      user,
      order,
      totalAmount: 12,
      pdfPath: "facture.pdf",
      paymentId: "virement",
    });
  const snapshotOf = async (id: number) => {
    const [row] = await db.select().from(invoices).where(eq(invoices.id, id));
    return row?.snapshot;
  };
  const taxed = await orderByHand();
  await saveSeller({ api, db }, { vatExempt: true });
  const untaxed = await orderByHand();
  const alone = await invoiceByHand();
  expect(await snapshotOf(alone)).toMatchObject({
    isVatExempt: true,
    vatNotes: [NOTE],
    lines: [{ name: "Montant facturé", vatRateBp: 0 }],
  });
  // The corrected amount has a new line, still without VAT.
  await api.put(`/api/admin/invoices_update/${alone}`, { token, json: { totalAmount: 15 } });
  expect((await snapshotOf(alone))?.lines).toMatchObject([{ unitPriceCents: 1500, vatRateBp: 0 }]);
  const ofTaxed = await snapshotOf(await invoiceByHand(taxed));
  expect(ofTaxed?.isVatExempt).toBeUndefined();
  expect(ofTaxed?.lines).toMatchObject(Array(2).fill({ vatRateBp: 2000 }));
  await saveSeller({ api, db }, { vatExempt: false });
  expect(await snapshotOf(await invoiceByHand(untaxed))).toMatchObject({
    isVatExempt: true,
    vatNotes: [NOTE],
    lines: Array(2).fill({ vatRateBp: 0 }),
  });
});
