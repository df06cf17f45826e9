import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { creditNotes } from "@/db/schema/refunds";
import { formatLongDate } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import type { adminInvoiceResource, InvoiceVersionsJson } from "@/lib/invoices/admin-resource";
import { vatByRate, vatOf, vatTotals } from "@/lib/invoices/rules";
import { historyOf, newAdmin } from "../admin";
import type { Api } from "../api-client";
import { expectDelivered } from "../cards";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { buy, type PaidOrder, readRefunds, requestRefund, rowsOf } from "../refunding";

// Invoices that were paid and that staff edit: corrected versions, and fields that stay as paid.

type Invoice = JsonOf<typeof adminInvoiceResource> & { detail: string; current: Invoice };

const TWO_RATES = [
  { name: "Lampe Aube", priceCents: 6000, vatRateBp: 2000 },
  { name: "Théière d’été", priceCents: 4000, vatRateBp: 550 },
];

async function invoiceOf(api: Api, { paymentId, token }: PaidOrder): Promise<Invoice> {
  const { json } = await api.get<Invoice[]>(`/api/admin/invoices?search=${paymentId}`, { token });
  const [invoice] = json;
  if (!invoice) throw new Error("The order has no invoice.");
  return invoice;
}

/** The body of an invoice's update, with the given changes. */
const formOf = ({ totalAmount, user, pdfPath, paymentId }: Invoice, change: object = {}) => ({
  totalAmount,
  user: `/api/users/${user?.id}`,
  pdfPath,
  paymentId,
  ...change,
});

const edit = (api: Api, { token }: { token: string }, id: number, json: object) =>
  api.put<Invoice>(`/api/admin/invoices_update/${id}`, { token, json, mayFail: true });

const versionsOf = async (api: Api, { token }: { token: string }, id: number) =>
  (await api.get<InvoiceVersionsJson>(`/api/admin/invoices/${id}/versions`, { token })).json;

/** Erases the buyer's account. */
const erase = async (api: Api, { token, buyer }: PaidOrder) =>
  expect((await api.delete(`/api/users/${buyer.id}`, { token })).status).toBe(204);

const textOf = async (shop: { baseURL: string }, { token }: { token: string }, id: number) =>
  textOfPdf(await downloadPdf({ shop, path: `/api/invoices/${id}/download`, token }));

test("an edited paid invoice is a new version", async ({ shop, api, database: db, cards }) => {
  const order = await buy({ api, db, cards, items: TWO_RATES });
  const invoice = await invoiceOf(api, order);
  expect(invoice).toMatchObject({ isPaid: true, correctedAt: null, totalAmount: 100 });
  const { id, number } = invoice;
  const path = `/api/invoices/${id}/download`;
  const issued = await downloadPdf({ shop, path, token: order.buyer.token });

  const saved = await edit(api, order, id, formOf(invoice, { totalAmount: 90.01 }));
  expect(saved.json, saved.text).toMatchObject({
    id,
    number,
    totalAmount: 90.01,
    isPaid: true,
    correctedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    date: invoice.date,
  });
  const today = formatLongDate(new Date());
  const corrected = await textOf(shop, order.buyer, id);
  for (const part of [
    `Facture rectificative N° ${number}`,
    `Date : ${formatLongDate(invoice.date)}`,
    `Rectifiée le : ${today}`,
    `Annule et remplace la version du ${formatLongDate(invoice.date)}`,
    "Ajustement 1 −4,99 € 20 % −5,99 € −5,99 €",
    "Ajustement 1 −3,79 € 5,5 % −4,00 € −4,00 €",
    "20 % 45,01 € 9,00 € 54,01 €",
    "5,5 % 34,12 € 1,88 € 36,00 €",
    "Total HT 79,13 €",
    "Total TVA 10,88 €",
    "Total TTC 90,01 €",
  ])
    expect(corrected).toContain(part);

  const [version, ...others] = await versionsOf(api, order, id);
  expect(others).toEqual([]);
  expect(version).toMatchObject({
    date: invoice.date,
    totalAmount: 100,
    buyer: { email: order.buyer.email },
    paymentId: order.paymentId,
    replacedBy: { lastname: "Inès", name: "Garnier" },
  });
  const archived = await downloadPdf({ shop, path: version?.pdfPath ?? "", token: order.token });
  expect(archived).toEqual(issued);
  const missing = `/api/admin/invoices/${id}/versions/99/download`;
  expect((await api.get<{ detail: string }>(missing, { token: order.token })).json.detail).toBe(
    "Cette version de la facture n'existe pas.",
  );

  // Correcting the total back to the paid one restores the paid lines.
  const back = await edit(api, order, id, formOf(invoice));
  expect(back.json).toMatchObject({ totalAmount: 100 });
  expect(await versionsOf(api, order, id)).toMatchObject([
    { totalAmount: 90.01, date: saved.json.correctedAt },
    { totalAmount: 100 },
  ]);
  const text = await textOf(shop, order, id);
  expect(text).not.toContain("Ajustement");
  expect(text).toContain(`Annule et remplace la version du ${today}`);
  const history = await historyOf({ api, token: order.token, entity: "Invoice", id });
  expect(history.map(({ action }) => action)).toEqual(["update", "update"]);

  await test.step("buyer, PDF and payment are corrections, too", async () => {
    const other = await createUser({ db, firstName: "Zoë", lastName: "Œuvrard" });
    for (const json of [{ user: other.id }, { pdfPath: "a.pdf" }, { paymentId: "virement" }])
      expect((await edit(api, order, id, json)).status).toBe(200);
    expect(await versionsOf(api, order, id)).toHaveLength(5);
    const moved = await textOf(shop, order, id);
    expect(moved).toContain("Zoë Œuvrard");
    expect(moved).toContain("Identifiant du paiement : virement");
    expect((await api.get(path, { token: order.buyer.token })).status).toBe(404);
    // Credit notes go to the customer who paid.
    expect((await requestRefund({ api, order, amount: 1 })).status).toBe(201);
    const [note] = (await rowsOf(db, order.id)).creditNotes;
    expect(note).toMatchObject({
      userId: order.buyer.id,
      snapshot: { buyer: { email: order.buyer.email } },
    });
  });
});

test("a repeated or empty save creates no version", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const invoice = await invoiceOf(api, order);
  const { id } = invoice;
  const form = formOf(invoice, { totalAmount: 40 });
  const answers = await Promise.all([1, 2, 3].map(() => edit(api, order, id, form)));
  for (const { json } of answers) expect(json).toMatchObject({ totalAmount: 40, version: 2 });
  for (const json of [{}, form, { isPaid: true }, { ...form, isPaid: true, version: 2 }])
    expect((await edit(api, order, id, json)).json).toMatchObject({ version: 2 });
  expect(await historyOf({ api, token: order.token, entity: "Invoice", id })).toHaveLength(1);

  const late = await edit(api, order, id, { totalAmount: 41, version: 1 });
  expect(late.json).toMatchObject({ status: 409, current: { totalAmount: 40 } });
  expect((await edit(api, order, id, { isPaid: false })).json).toMatchObject({
    status: 409,
    detail:
      "Cette facture est payée et le reste. Pour rendre l'argent, remboursez la commande\u00a0: un avoir s'établit.",
  });
  expect(await versionsOf(api, order, id)).toHaveLength(1);
});

test("refunds use the paid amount, not a typed total", async ({ api, database: db, cards }) => {
  for (const totalAmount of [10, 1000]) {
    const order = await buy({ api, db, cards, items: TWO_RATES });
    const { id, number } = await invoiceOf(api, order);
    expect((await edit(api, order, id, { totalAmount })).status).toBe(200);
    // Erasing the account also deletes the checkout.
    if (totalAmount === 10) await erase(api, order);
    expect((await readRefunds({ api, order })).left.amount).toBe(100);
    const tooMuch = await requestRefund({ api, order, amount: 100.01 });
    expect([tooMuch.status, tooMuch.json.detail]).toEqual([
      409,
      "Il ne reste que 100,00\u00a0€ à rembourser sur cette commande.",
    ]);
    expect((await requestRefund({ api, order, amount: 33.33 })).status).toBe(201);
    expect((await edit(api, order, id, { totalAmount: totalAmount + 1 })).status).toBe(200);
    const items = order.lines.map(({ id: item, quantity }) => ({ item, quantity }));
    const rest = await requestRefund({ api, order, items });
    expect(rest.json, rest.text).toMatchObject({ amount: 66.67, deduction: 33.33 });
    const { order: row, creditNotes: notes } = await rowsOf(db, order.id);
    expect(row).toMatchObject({ status: "cancelled", refundedCents: 10_000 });
    expect(notes.map(({ snapshot }) => snapshot.invoice?.number)).toEqual([number, number]);
    const vat = notes.flatMap(({ snapshot }) => vatOf(snapshot));
    for (const { vatRateBp, ...paid } of vatByRate([
      { quantity: 1, unitPriceCents: 6000, vatRateBp: 2000 },
      { quantity: 1, unitPriceCents: 4000, vatRateBp: 550 },
    ]))
      expect(vatTotals(vat.filter((each) => each.vatRateBp === vatRateBp))).toEqual(paid);
  }
});

test("a payment is found although its id was changed", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const { id } = await invoiceOf(api, order);
  const retyped = await edit(api, order, id, { paymentId: "virement 12" });
  expect(retyped.json).toMatchObject({ paymentId: "virement 12", isPaid: true });
  const removed = await api.delete(`/api/admin_orders/${order.id}`, { token: order.token });
  expect(removed.status).toBe(204);
  await erase(api, order);
  await cards.call("refunds", { payment_intent: order.paymentId, amount: "1000" });
  await expectDelivered(cards);
  const notes = () => db.select().from(creditNotes).where(eq(creditNotes.invoiceId, id));
  await expect.poll(notes).toMatchObject([{ totalCents: 1000 }]);
  const payment = (await cards.books()).payments.find((each) => each.id === order.paymentId);
  expect(payment?.refunded, "the payment is known to have become an order").toBe(1000);
});

test("an invoice by hand is corrected once it is paid", async ({ shop, api, database: db }) => {
  const admin = await newAdmin(db);
  const user = await createUser({ db });
  const items = [{ product: await createProduct({ db, priceCents: 1000 }) }];
  const { order } = await createOrder({ db, user, items, invoiced: false });
  const form = { totalAmount: 10, user: user.id, pdfPath: "a.pdf", paymentId: "virement" };
  const create = async (json: object) =>
    (await api.post<Invoice>("/api/admin/invoices_create", { token: admin.token, json })).json;
  expect((await create({ ...form, isPaid: true })).isPaid).toBe(true);
  const { id, isPaid } = await create({ ...form, order: order.id });
  expect(isPaid).toBe(false);
  expect((await edit(api, admin, id, { totalAmount: 11, isPaid: false })).json).toMatchObject({
    totalAmount: 11,
    isPaid: false,
    correctedAt: null,
  });
  expect((await edit(api, admin, id, { isPaid: "oui" })).status).toBe(422);
  expect((await edit(api, admin, id, { isPaid: true })).json).toMatchObject({ isPaid: true });
  expect((await edit(api, admin, id, { isPaid: false })).status).toBe(409);
  expect(await textOf(shop, admin, id)).not.toContain("rectificative");
  expect((await edit(api, admin, id, { totalAmount: 12 })).json).toMatchObject({
    totalAmount: 12,
    isPaid: true,
    correctedAt: expect.any(String),
  });
  expect(await textOf(shop, admin, id)).toContain("Facture rectificative");
  expect(await versionsOf(api, admin, id)).toHaveLength(3);
  await db.update(invoices).set({ archivedAt: new Date() }).where(eq(invoices.id, id));
  const archived = await api.get(`/api/admin/invoices/${id}/versions`, { token: admin.token });
  expect(archived.json).toMatchObject({ status: 404, detail: "Cette facture n'existe pas." });
});
