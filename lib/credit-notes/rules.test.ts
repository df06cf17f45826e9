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

const goodwill = (cents: number) => ({ cents, name: "Geste commercial" });
const NONE = goodwill(0);

test("refunded pieces are lines as on the invoice", () => {
  const invoiced = [line(1000, 2000, 3), line(500, 550)];
  const lines = [line(1000, 2000, 2)];
  expect(creditLines({ lines, unassigned: NONE, invoiced, credited: [] })).toEqual(lines);
});

test("a goodwill is split over the invoice's rates with the largest remainder", () => {
  const invoiced = [line(1000, 2000), line(1000, 1000), line(1000, 550)];
  const lines = creditLines({ lines: [], unassigned: goodwill(100), invoiced, credited: [] });
  expect(byRate(lines)).toEqual({ 2000: 34, 1000: 33, 550: 33 });
  expect(lines.map(({ name, kind }) => [name, kind])).toEqual(
    Array(3).fill(["Geste commercial", "adjustment"]),
  );
});

test("after a goodwill, refunded lines take at most what is left at their rate", () => {
  const invoiced = [line(6000, 2000), line(4000, 550)];
  const first = creditLines({ lines: [], unassigned: goodwill(1000), invoiced, credited: [] });
  expect(byRate(first)).toEqual({ 2000: 600, 550: 400 });
  const second = creditLines({
    lines: [line(6000, 2000)],
    unassigned: NONE,
    invoiced,
    credited: first,
  });
  expect(sumOfLines(second)).toBe(6000);
  expect(byRate([...first, ...second])).toEqual({ 2000: 6000, 550: 1000 });
  const credited = [...first, ...second];
  const last = creditLines({ lines: [], unassigned: goodwill(3000), invoiced, credited });
  expect(byRate([...credited, ...last])).toEqual(byRate(invoiced));
});

test("a deduction reduces the refunded pieces at their rates, not the shipping", () => {
  const shipping: InvoiceLine = { ...line(600, 2000), kind: "shipping" };
  const lines = [line(1000, 2000, 2), line(1000, 550), shipping];
  const invoiced = [...lines, line(9000, 210)];
  const unassigned = { cents: -1001, name: "Déduction" };
  const note = creditLines({ lines, unassigned, invoiced, credited: [] });
  expect(note.slice(0, 3)).toEqual(lines);
  expect(note.slice(3)).toEqual([
    { ...line(-667, 2000), kind: "adjustment", name: "Déduction" },
    { ...line(-334, 550), kind: "adjustment", name: "Déduction" },
  ]);
  expect(vatByRate(note)).toEqual([
    { vatRateBp: 2000, grossCents: 1933, netCents: 1611, vatCents: 322 },
    { vatRateBp: 550, grossCents: 666, netCents: 631, vatCents: 35 },
  ]);
});

test("after a goodwill, refunding the last pieces leaves nothing at any rate", () => {
  const invoiced = [line(6000, 2000), line(4000, 550)];
  for (const shares of [
    [600, 400],
    [1000, 0],
    [0, 1000],
  ]) {
    const credited = [line(shares[0] ?? 0, 2000), line(shares[1] ?? 0, 550)];
    const unassigned = { cents: -1000, name: "Déduction" };
    const note = creditLines({ lines: invoiced, unassigned, invoiced, credited });
    expect(sumOfLines(note)).toBe(9000);
    expect(byRate([...credited, ...note])).toEqual(byRate(invoiced));
  }
});

test("a refund above the invoice is split in its proportions; without an invoice it has the usual rate", () => {
  const invoiced = [line(6000, 2000), line(4000, 550)];
  const lines = creditLines({ lines: [], unassigned: goodwill(20_000), invoiced, credited: [] });
  expect(byRate(lines)).toEqual({ 2000: 12_000, 550: 8000 });
  const alone = creditLines({ lines: [], unassigned: goodwill(70), invoiced: [], credited: [] });
  expect(byRate(alone)).toEqual({ 2000: 70 });
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
  expect(vatTotals(nine)).toEqual({ grossCents: 297, netCents: 282, vatCents: 15 });
  expect(vatTotals(nine)).toEqual(vatTotals(vatByRate([line(33, 550, 9)])));

  const forty = inParts(Array.from({ length: 40 }, () => line(2, 2000)));
  expect(vatTotals(forty)).toEqual({ grossCents: 80, netCents: 67, vatCents: 13 });
  expect(vatTotals(forty)).toEqual(vatTotals(vatByRate([line(80, 2000)])));

  const two = inParts([line(1790, 2000), line(1784, 2000)]);
  expect(two.map(({ netCents, vatCents }) => [netCents, vatCents])).toEqual([
    [1492, 298],
    [1486, 298],
  ]);
  expect(vatTotals(two)).toEqual(vatTotals(vatByRate([line(3574, 2000)])));
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
      const note = creditLines({
        lines: isPiece ? [piece] : [],
        unassigned: goodwill(cents - price),
        invoiced,
        credited,
      });
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
