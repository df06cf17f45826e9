import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { invoices } from "@/db/schema/invoices";
import { orderLines } from "@/db/schema/orders";
import { creditNotes } from "@/db/schema/refunds";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import {
  addToCart,
  confirm,
  createBuyer,
  createBuyerWithCart,
  payCart,
  requestPayment,
} from "../buying";
import type { Cards } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { requestRefund } from "../refunding";

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

const pdfText = async (baseURL: string, token: string, path: string) =>
  textOfPdf(await downloadPdf({ shop: { baseURL }, path, token }));

const invoiceOf = async (db: Database, orderId: number) => {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, orderId));
  if (!invoice) throw new Error("There is no invoice.");
  return invoice;
};

/** Buys a lamp and a book, sent for 4 €. Returns the order's id. */
async function buyTwo({ api, db, cards }: { api: Api; db: Database; cards: Cards }) {
  const buyer = await createBuyer(db);
  for (const values of [
    { name: "Lampe", priceCents: 3000, vatRateBp: 2000 },
    { name: "Livre", priceCents: 1000, vatRateBp: 550 },
  ]) {
    const { id: productId } = await createProduct({ db, ...values });
    await addToCart({ api, buyer, productId });
  }
  const { id } = await createShippingMethod({ db, name: "Colis", priceCents: 400 });
  const secret = await payCart({ api, buyer, cards, shippingMethodId: id });
  const { json } = await confirm({ api, buyer, secret });
  return { buyer, orderId: json.orderId };
}

/** Mentions of VAT, except the note that says why there is none. */
const vatWords = (text: string) =>
  text.replaceAll(NOTE, "").match(/TVA|TTC|\bHT\b|taxes comprises/g);

test("a seller without VAT needs a SIREN, but no VAT number", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const save = (json: object) => api.put(SELLER, { token, json, mayFail: true });
  const REQUIRED = "Ce champ est obligatoire.";
  expect(sentencesOf(await save({ vatNumber: "" }))).toEqual({ vatNumber: REQUIRED });
  expect(sentencesOf(await save({ vatExempt: true, vatNumber: "", siren: "" }))).toEqual({
    siren: REQUIRED,
  });
  expect(sentencesOf(await save({ vatExempt: "oui" }))).toEqual({
    vatExempt: "Ce champ doit être vrai ou faux.",
  });
  expect(await saveSeller({ api, db }, { vatExempt: true, vatNumber: "" })).toMatchObject({
    vatExempt: true,
    vatNumber: "",
  });
  // A request without the field leaves it unchanged.
  expect(await saveSeller({ api, db }, { phone: "03 20 00 00 00" })).toMatchObject({
    vatExempt: true,
  });
  // A given VAT number is still checked.
  expect(sentencesOf(await save({ vatNumber: "FR04552081317" }))).toHaveProperty("vatNumber");
  // A seller under VAT needs the number.
  expect(sentencesOf(await save({ vatExempt: false }))).toEqual({ vatNumber: REQUIRED });
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

test("no paper or mail has VAT", async ({ api, shop, database: db, cards, mailbox }) => {
  await saveSeller({ api, db }, { vatExempt: true });
  const { buyer, orderId } = await buyTwo({ api, db, cards });
  const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  expect(lines.map(({ vatRateBp }) => vatRateBp)).toEqual([0, 0]);
  const invoice = await invoiceOf(db, orderId);
  expect(invoice.snapshot).toMatchObject({
    isVatExempt: true,
    vatNotes: [NOTE],
    seller: { siren: "552 081 317", vatNumber: "" },
  });
  expect(invoice.snapshot.lines.map(({ vatRateBp }) => vatRateBp)).toEqual([0, 0, 0]);
  const text = await pdfText(shop.baseURL, buyer.token, `/api/invoices/${invoice.id}/download`);
  expect(text).toContain("Livraison – Colis 1 4,00 € 4,00 €");
  expect(text).toContain("Total 44,00 €");
  expect(text).toContain(NOTE);
  expect(vatWords(text)).toBeNull();
  const mail = await mailbox.waitForMail({ to: buyer.email });
  expect(mail.text.replace(/\s+/g, " ")).toContain("Total : 44,00 €");
  // The terms are the seller's own text.
  expect(vatWords(`${mail.subject} ${mail.text} ${mail.html}`)).toBeNull();
  const { json } = await api.get<{ vatIncluded: boolean }>(`/api/orders_details/${orderId}`, {
    token: buyer.token,
  });
  expect(json.vatIncluded).toBe(false);

  // The seller is under VAT again. An order sold without VAT is refunded without VAT.
  await saveSeller({ api, db }, { vatExempt: false });
  const { token } = await newAdmin(db);
  const refund = await requestRefund({ api, order: { id: orderId, token }, amount: 5 });
  expect(refund.status, refund.text).toBe(201);
  const [creditNote] = await db.select().from(creditNotes).where(eq(creditNotes.orderId, orderId));
  expect(creditNote?.snapshot).toMatchObject({ isVatExempt: true, vatNotes: [NOTE] });
  const note = await pdfText(
    shop.baseURL,
    buyer.token,
    `/api/credit-notes/${creditNote?.id}/download`,
  );
  expect(note).toContain("Total de l’avoir 5,00 €");
  expect(note).toContain(NOTE);
  expect(vatWords(note)).toBeNull();
  // The invoice is unchanged.
  expect(await pdfText(shop.baseURL, buyer.token, `/api/invoices/${invoice.id}/download`)).toBe(
    text,
  );
});

test("an order with VAT is refunded with VAT", async ({ api, shop, database: db, cards }) => {
  const { buyer, orderId } = await buyTwo({ api, db, cards });
  const invoice = await invoiceOf(db, orderId);
  const read = () => pdfText(shop.baseURL, buyer.token, `/api/invoices/${invoice.id}/download`);
  const before = await read();
  expect(before).toContain("Lampe 1 25,00 € 20 % 30,00 € 30,00 €");
  await saveSeller({ api, db }, { vatExempt: true, vatNumber: "" });
  expect(await read()).toBe(before);
  const { token } = await newAdmin(db);
  const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  const refund = await requestRefund({
    api,
    order: { id: orderId, token },
    items: [{ item: lines[0]?.id, quantity: 1 }],
  });
  expect(refund.status, refund.text).toBe(201);
  const [creditNote] = await db.select().from(creditNotes).where(eq(creditNotes.orderId, orderId));
  expect(creditNote?.snapshot.isVatExempt).toBeUndefined();
  const note = await pdfText(
    shop.baseURL,
    buyer.token,
    `/api/credit-notes/${creditNote?.id}/download`,
  );
  expect(note).toContain("20 % 25,00 € 5,00 € 30,00 €");
  expect(note).toContain("N° TVA : FR03 552081317");
  const { json } = await api.get<{ vatIncluded: boolean }>(`/api/orders_details/${orderId}`, {
    token: buyer.token,
  });
  expect(json.vatIncluded).toBe(true);
});

for (const isExemptAtFirst of [true, false])
  test(`a payment that was opened ${isExemptAtFirst ? "outside" : "under"} VAT stays so when the seller changes`, async ({
    api,
    database: db,
    cards,
  }) => {
    await saveSeller({ api, db }, { vatExempt: isExemptAtFirst });
    const { buyer } = await createBuyerWithCart({ api, db, priceCents: 3000 });
    const opened = await requestPayment({ api, buyer });
    expect(opened.status, opened.text).toBe(200);
    await saveSeller({ api, db }, { vatExempt: !isExemptAtFirst });
    await cards.pay(opened.json.clientSecret);
    const { json } = await confirm({ api, buyer, secret: opened.json.clientSecret });
    const { snapshot } = await invoiceOf(db, json.orderId);
    expect(snapshot.isVatExempt ?? false).toBe(isExemptAtFirst);
    expect(snapshot.lines[0]?.vatRateBp).toBe(isExemptAtFirst ? 0 : 2000);
    expect(snapshot.seller.vatNumber).toBe(isExemptAtFirst ? "" : "FR03 552081317");
  });

test("a new payment follows the seller's VAT status", async ({ api, database: db, cards }) => {
  const { buyer } = await createBuyerWithCart({ api, db, priceCents: 3000 });
  const first = (await requestPayment({ api, buyer })).json.clientSecret;
  await saveSeller({ api, db }, { vatExempt: true });
  const second = (await requestPayment({ api, buyer })).json.clientSecret;
  expect((await cards.pay(first)).status).toBe(400);
  await cards.pay(second);
  const { json } = await confirm({ api, buyer, secret: second });
  expect((await invoiceOf(db, json.orderId)).snapshot).toMatchObject({ isVatExempt: true });
});

test("an invoice by hand follows the order's VAT status", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: user } = await createBuyer(db);
  const { id: product } = await createProduct({ db, priceCents: 1000 });
  const orderByHand = async () =>
    (
      await api.post<{ id: number }>("/api/admin_orders", {
        token,
        json: {
          user,
          total: 10,
          orderItems: [{ product, quantity: 1 }],
          shippingStreet: "1 rue A",
          shippingCity: "Lyon",
          shippingPostalCode: "69003",
          billingStreet: "1 rue A",
          billingCity: "Lyon",
          billingPostalCode: "69003",
          invoice_pdf_path: "facture.pdf",
        },
      })
    ).json.id;
  const invoiceByHand = async (order?: number) => {
    const { json, status, text } = await api.post<{ id: number }>("/api/admin/invoices_create", {
      token,
      json: { user, order, totalAmount: 12, pdfPath: "facture.pdf", paymentId: "virement" },
    });
    expect(status, text).toBe(201);
    return json.id;
  };
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
  expect(ofTaxed?.lines.map(({ vatRateBp }) => vatRateBp)).toEqual([2000, 2000]);
  await saveSeller({ api, db }, { vatExempt: false });
  const ofUntaxed = await snapshotOf(await invoiceByHand(untaxed));
  expect(ofUntaxed).toMatchObject({ isVatExempt: true, vatNotes: [NOTE] });
  expect(ofUntaxed?.lines.map(({ vatRateBp }) => vatRateBp)).toEqual([0, 0]);
});
