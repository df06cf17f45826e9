import { expect, test } from "@playwright/test";
import type { InvoiceLine, VatAmounts } from "@/db/schema/invoices";
import { createRandom } from "@/db/seed/random";
import { creditedVat, creditLines } from "@/lib/credit-notes/rules";
import { sumOfLines, vatByRate, vatTotals } from "@/lib/invoices/rules";

const line = (unitPriceCents: number, vatRateBp: number, quantity = 1): InvoiceLine => ({
  name: "Lampe",
  quantity,
  unitPriceCents,
  vatRateBp,
});

const byRate = (lines: readonly InvoiceLine[]) =>
  Object.fromEntries(vatByRate(lines).map(({ vatRateBp, grossCents }) => [vatRateBp, grossCents]));

/** A credit note of these lines, and of a goodwill or deduction of so many cents. */
const noteOf = ({
  lines = [],
  cents = 0,
  credited = [],
  invoiced,
}: {
  lines?: InvoiceLine[];
  cents?: number;
  credited?: InvoiceLine[];
  invoiced: InvoiceLine[];
}) => creditLines({ lines, unassigned: { cents, name: "Sans article" }, invoiced, credited });

const TWO_RATES = [line(6000, 2000), line(4000, 550)];

test("refunded pieces are lines as on the invoice", () => {
  const lines = [line(1000, 2000, 2)];
  expect(noteOf({ lines, invoiced: [line(1000, 2000, 3), line(500, 550)] })).toEqual(lines);
});

test("a goodwill is split over the invoice's rates with the largest remainder", () => {
  const invoiced = [line(1000, 2000), line(1000, 1000), line(1000, 550)];
  const adjustment = { kind: "adjustment", name: "Sans article" };
  expect(noteOf({ cents: 100, invoiced })).toMatchObject([
    { ...adjustment, vatRateBp: 2000, unitPriceCents: 34 },
    { ...adjustment, vatRateBp: 1000, unitPriceCents: 33 },
    { ...adjustment, vatRateBp: 550, unitPriceCents: 33 },
  ]);
});

test("after a goodwill, refunded lines take at most what is left at their rate", () => {
  const invoiced = TWO_RATES;
  const credited = noteOf({ cents: 1000, invoiced });
  expect(byRate(credited)).toEqual({ 2000: 600, 550: 400 });
  credited.push(...noteOf({ lines: [line(6000, 2000)], invoiced, credited }));
  expect(byRate(credited)).toEqual({ 2000: 6000, 550: 1000 });
  credited.push(...noteOf({ cents: 3000, invoiced, credited }));
  expect(byRate(credited)).toEqual(byRate(invoiced));
});

test("a deduction reduces the refunded pieces at their rates, not the shipping", () => {
  const shipping: InvoiceLine = { ...line(600, 2000), kind: "shipping" };
  const lines = [line(1000, 2000, 2), line(1000, 550), shipping];
  const note = noteOf({ lines, cents: -1001, invoiced: [...lines, line(9000, 210)] });
  expect(note).toEqual([
    ...lines,
    { ...line(-667, 2000), kind: "adjustment", name: "Sans article" },
    { ...line(-334, 550), kind: "adjustment", name: "Sans article" },
  ]);
  expect(vatByRate(note)).toEqual([
    { vatRateBp: 2000, grossCents: 1933, netCents: 1611, vatCents: 322 },
    { vatRateBp: 550, grossCents: 666, netCents: 631, vatCents: 35 },
  ]);
});

test("a refund above the invoice is split in its proportions; without an invoice it has the usual rate", () => {
  expect(byRate(noteOf({ cents: 20_000, invoiced: TWO_RATES }))).toEqual({
    2000: 12_000,
    550: 8000,
  });
  expect(byRate(noteOf({ cents: 70, invoiced: [] }))).toEqual({ 2000: 70 });
});

/** The VAT amounts of successive credit notes of one line each. */
function inParts(parts: readonly InvoiceLine[], before: readonly VatAmounts[] = []): VatAmounts[] {
  const earlier = [...before];
  for (const part of parts) earlier.push(...creditedVat({ lines: [part], earlier }));
  return earlier.slice(before.length);
}

test("credit notes in parts add up to the VAT of their invoice", () => {
  const nine = inParts(Array.from({ length: 9 }, () => line(33, 550)));
  expect(nine.map(({ vatCents }) => vatCents)).toEqual([2, 1, 2, 2, 2, 1, 2, 2, 1]);
  expect(vatTotals(nine)).toEqual(vatTotals(vatByRate([line(33, 550, 9)])));
});

test("the next credit note corrects the rounding of earlier ones", () => {
  const before = Array.from({ length: 8 }, () => line(33, 550)).flatMap((each) =>
    vatByRate([each]),
  );
  expect(vatTotals(before).vatCents).toBe(16);
  const [last] = inParts([line(33, 550)], before);
  expect(last).toEqual({ vatRateBp: 550, grossCents: 33, netCents: 34, vatCents: -1 });
});

test("a thousand invoices refunded in random parts leave nothing at any rate", () => {
  const random = createRandom(24);
  const faults: unknown[] = [];
  for (let run = 0; run < 1000; run++) {
    const invoiced = Array.from({ length: random.int(1, 4) }, () =>
      line(random.int(1, 9999), random.pick([2000, 1000, 550, 210]), random.int(1, 3)),
    );
    const total = sumOfLines(invoiced);
    const pieces = invoiced.flatMap((each) =>
      Array.from({ length: each.quantity }, () => ({ ...each, quantity: 1 })),
    );
    const credited: InvoiceLine[] = [];
    const vat: VatAmounts[] = [];
    while (sumOfLines(credited) < total) {
      const left = total - sumOfLines(credited);
      const piece = pieces.at(-1);
      const isPiece = piece !== undefined && random.chance(0.5);
      if (isPiece) pieces.pop();
      const price = isPiece ? piece.unitPriceCents : 0;
      // Some pieces are refunded at their price, others with a deduction.
      const isWhole = isPiece && price <= left && random.chance(0.5);
      const cents = isWhole ? price : random.int(1, isPiece ? Math.min(price, left) : left);
      const lines = isPiece ? [piece] : [];
      const note = noteOf({ lines, cents: cents - price, invoiced, credited });
      const noteVat = creditedVat({ lines: note, earlier: vat });
      credited.push(...note);
      vat.push(...noteVat);
      if (noteVat.some(({ netCents, vatCents }) => netCents < 0 || vatCents < 0))
        faults.push({ run, note, noteVat });
      for (const [rate, cents] of Object.entries(byRate(credited)))
        if (cents > (byRate(invoiced)[Number(rate)] ?? 0)) faults.push({ run, rate, cents });
    }
    const [given, had] = [byRate(credited), byRate(invoiced)].map((each) => JSON.stringify(each));
    if (given !== had) faults.push({ run, given, had });
    // Net and VAT amounts must match, too.
    for (const amounts of vatByRate(invoiced)) {
      const { vatRateBp, ...sums } = amounts;
      const ofRate = vatTotals(vat.filter((each) => each.vatRateBp === vatRateBp));
      if (JSON.stringify(ofRate, Object.keys(sums)) !== JSON.stringify(sums, Object.keys(sums)))
        faults.push({ run, amounts, ofRate });
    }
  }
  expect(faults).toEqual([]);
});
