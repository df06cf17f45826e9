import { vatOf, vatTotals } from "@/lib/invoices/rules";
import { linesOfCsv } from "../admin";
import { expect, test } from "../fixtures";
import { buy, requestRefund, rowsOf } from "../refunding";

// Partial credit notes add up to their invoice: the amount without VAT, and the VAT.

test.beforeEach(({ cards }) => cards.clearFaults());

test("nine pieces of 0,33 €, one by one, add up", async ({ api, database: db, cards }) => {
  const items = [{ priceCents: 33, vatRateBp: 550, pieces: 9 }];
  const order = await buy({ api, db, cards, items });
  const { token } = order;
  const refund = () =>
    requestRefund({ api, order, items: [{ item: order.lines[0]?.id, quantity: 1 }] });
  // Some refunds run concurrently. Each credit note is rounded together with the earlier ones.
  for (const count of [4, 4, 1]) {
    const answers = await Promise.all(Array.from({ length: count }, refund));
    for (const { status, text } of answers) expect(status, text).toBe(201);
  }
  const { creditNotes } = await rowsOf(db, order.id);
  expect(vatTotals(creditNotes.flatMap(({ snapshot }) => vatOf(snapshot)))).toEqual({
    grossCents: 297,
    netCents: 282,
    vatCents: 15,
  });

  const path = `/api/credit_notes?order=${order.id}&itemsPerPage=100`;
  const { json } = await api.get<{
    "hydra:member": { id: number; vat: { net: number; vat: number }[] }[];
  }>(path, { token });
  const cents = (amounts: number[]) =>
    Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100);
  const notes = json["hydra:member"];
  const rates = notes.flatMap(({ vat }) => vat);
  expect([cents(rates.map(({ net }) => net)), cents(rates.map(({ vat }) => vat))]).toEqual([
    282, 15,
  ]);
  const [heads = [], ...rows] = linesOfCsv(await api.get(path, { token, accept: "text/csv" }));
  const column = heads.indexOf("TVA 5,5\u00a0% (€)");
  expect(cents(rows.map((row) => Number(row[column]?.replace(",", "."))))).toBe(15);
});
