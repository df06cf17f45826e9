import { eq } from "drizzle-orm";
import { createShippingMethod } from "@/db/factories/orders";
import { invoices } from "@/db/schema/invoices";
import { formatRate, vatByRate, vatOf, vatTotals } from "@/lib/invoices/rules";
import { linesOfCsv } from "../admin";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
import { buy, type OrderedItem, type PaidOrder, requestRefund, rowsOf } from "../refunding";

// Partial credit notes add up to their invoice per VAT rate: the amount without VAT, and the VAT.

test.beforeEach(({ cards }) => cards.clearFaults());

/** One partial refund. */
interface Part {
  pieces?: number;
  amount?: number;
}

const creditedOf = async (
  db: Parameters<typeof rowsOf>[0],
  { id }: PaidOrder,
): Promise<ReturnType<typeof vatByRate>> => {
  const { creditNotes } = await rowsOf(db, id);
  const all = creditNotes.flatMap(({ snapshot }) => vatOf(snapshot));
  const rates = [...new Set(all.map(({ vatRateBp }) => vatRateBp))].sort((a, b) => b - a);
  return rates.map((vatRateBp) => ({
    vatRateBp,
    ...vatTotals(all.filter((each) => each.vatRateBp === vatRateBp)),
  }));
};

for (const { name, items, refunds, vat } of [
  {
    name: "nine pieces of 0,33 € at 5,5 %, one by one",
    items: [{ priceCents: 33, vatRateBp: 550, pieces: 9 }],
    refunds: Array.from({ length: 9 }, () => ({ pieces: 1 })),
    vat: [{ vatRateBp: 550, grossCents: 297, netCents: 282, vatCents: 15 }],
  },
  {
    name: "a part, then the rest",
    items: [{ priceCents: 1787, pieces: 2 }],
    refunds: [{ amount: 17.9 }, { amount: 17.84 }],
    vat: [{ vatRateBp: 2000, grossCents: 3574, netCents: 2978, vatCents: 596 }],
  },
] satisfies {
  name: string;
  items: OrderedItem[];
  refunds: Part[];
  vat: ReturnType<typeof vatByRate>;
}[])
  test(`${name}: the credit notes add up to the invoice`, async ({
    shop,
    api,
    database: db,
    cards,
  }) => {
    const order = await buy({ api, db, cards, items });
    const { token } = order;
    const item = order.lines[0]?.id;
    const give = async ({ pieces, amount }: Part) => {
      const items = pieces ? [{ item, quantity: pieces }] : undefined;
      const { status, text } = await requestRefund({ api, order, amount, items });
      expect(status, text).toBe(201);
    };
    // Some refunds run concurrently. Each credit note is rounded together with the earlier ones.
    for (let index = 0; index < refunds.length; index += 4)
      await Promise.all(refunds.slice(index, index + 4).map(give));
    expect(await creditedOf(db, order)).toEqual(vat);
    // JSON, spreadsheet and PDF show the same amounts.
    const path = `/api/credit_notes?order=${order.id}&itemsPerPage=100`;
    const { json } = await api.get<{
      "hydra:member": { id: number; vat: { net: number; vat: number; total: number }[] }[];
    }>(path, { token });
    const cents = (amounts: number[]) =>
      Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100);
    const notes = json["hydra:member"];
    expect(cents(notes.flatMap((note) => note.vat.map((rate) => rate.net)))).toBe(vat[0]?.netCents);
    expect(cents(notes.flatMap((note) => note.vat.map((rate) => rate.vat)))).toBe(vat[0]?.vatCents);
    const [heads = [], ...rows] = linesOfCsv(await api.get(path, { token, accept: "text/csv" }));
    const column = heads.indexOf(`TVA ${formatRate(vat[0]?.vatRateBp ?? 0)} (€)`);
    expect(cents(rows.map((row) => Number(row[column]?.replace(",", "."))))).toBe(vat[0]?.vatCents);
    const last = notes[0];
    const pdf = await textOfPdf(
      await downloadPdf({ shop, path: `/api/credit-notes/${last?.id}/download`, token }),
    );
    const shown = (euros = 0) => euros.toFixed(2).replace(".", ",");
    const [rate] = last?.vat ?? [];
    expect(pdf).toContain(`Total HT ${shown(rate?.net)} € Total TVA ${shown(rate?.vat)} €`);
  });

test("credit notes of every kind leave nothing at any rate", async ({ shopWith, cards }) => {
  const { api, database: db } = await shopWith({ env: { STRIPE_API_BASE: cards.url } });
  const method = await createShippingMethod({ db, priceCents: 601 });
  const order = await buy({
    api,
    db,
    cards,
    items: [
      { priceCents: 333, vatRateBp: 2000, pieces: 3 },
      { priceCents: 777, vatRateBp: 1000 },
      { priceCents: 119, vatRateBp: 550, pieces: 5 },
      { priceCents: 77, vatRateBp: 210, pieces: 2 },
    ],
    shippingMethodId: method.id,
  });
  const [a, b, c, d] = order.lines.map(({ id }) => id);
  for (const json of [
    { amount: 0.01 },
    { items: [{ item: a, quantity: 1 }] },
    { items: [{ item: c, quantity: 2 }], amount: 1.99 },
    { amount: 3.33 },
    { items: [{ item: b, quantity: 1 }], shipping: true, amount: 13 },
  ])
    expect((await requestRefund({ api, order, ...json })).status).toBe(201);
  const rest = await requestRefund({
    api,
    order,
    items: [
      { item: a, quantity: 2 },
      { item: c, quantity: 3 },
      { item: d, quantity: 2 },
    ],
    shipping: true,
  });
  expect(rest.status, rest.text).toBe(201);
  const { order: row, creditNotes } = await rowsOf(db, order.id);
  expect(row).toMatchObject({ refundedCents: order.totalCents, status: "cancelled" });
  expect(creditNotes).toHaveLength(6);
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, order.id));
  expect(await creditedOf(db, order)).toEqual(vatByRate(invoice?.snapshot.lines ?? []));
});
