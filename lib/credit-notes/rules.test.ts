import { expect, test } from "@playwright/test";
import type { InvoiceLine } from "@/db/schema/invoices";
import { createRandom } from "@/db/seed/random";
import { creditLines, creditTotal } from "@/lib/credit-notes/rules";
import { vatByRate } from "@/lib/invoices/rules";

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

test("given back pieces are the invoice's lines", () => {
  const invoiced = [line(1000, 2000, 3), line(500, 550)];
  const lines = [line(1000, 2000, 2)];
  expect(creditLines({ lines, rest: NONE, invoiced, credited: [] })).toEqual(lines);
});

test("a goodwill is split over the invoice's rates with the largest remainder", () => {
  const invoiced = [line(1000, 2000), line(1000, 1000), line(1000, 550)];
  const lines = creditLines({ lines: [], rest: goodwill(100), invoiced, credited: [] });
  expect(byRate(lines)).toEqual({ 2000: 34, 1000: 33, 550: 33 });
  expect(lines.map(({ name, kind }) => [name, kind])).toEqual(
    Array(3).fill(["Geste commercial", "adjustment"]),
  );
});

test("after a goodwill, given back lines take no more from their rate than it has left", () => {
  const invoiced = [line(6000, 2000), line(4000, 550)];
  const first = creditLines({ lines: [], rest: goodwill(1000), invoiced, credited: [] });
  expect(byRate(first)).toEqual({ 2000: 600, 550: 400 });
  const second = creditLines({
    lines: [line(6000, 2000)],
    rest: NONE,
    invoiced,
    credited: first,
  });
  expect(creditTotal(second)).toBe(6000);
  expect(byRate([...first, ...second])).toEqual({ 2000: 6000, 550: 1000 });
  const credited = [...first, ...second];
  const last = creditLines({ lines: [], rest: goodwill(3000), invoiced, credited });
  expect(byRate([...credited, ...last])).toEqual(byRate(invoiced));
});

test("what exceeds the invoice is split in proportion to it; without an invoice it has the usual rate", () => {
  const invoiced = [line(6000, 2000), line(4000, 550)];
  const lines = creditLines({ lines: [], rest: goodwill(20_000), invoiced, credited: [] });
  expect(byRate(lines)).toEqual({ 2000: 12_000, 550: 8000 });
  const alone = creditLines({ lines: [], rest: goodwill(70), invoiced: [], credited: [] });
  expect(byRate(alone)).toEqual({ 2000: 70 });
});

test("a thousand invoices given back in random parts end at nothing per rate, to the cent", () => {
  const random = createRandom(24);
  const faults: unknown[] = [];
  for (let run = 0; run < 1000; run++) {
    const invoiced = Array.from({ length: random.int(1, 4) }, () =>
      line(random.int(1, 9999), random.pick([2000, 1000, 550, 210]), random.int(1, 3)),
    );
    const total = creditTotal(invoiced);
    const pieces = invoiced.flatMap((each) =>
      Array.from({ length: each.quantity }, () => ({ ...each, quantity: 1 })),
    );
    const credited: InvoiceLine[] = [];
    while (creditTotal(credited) < total) {
      const left = total - creditTotal(credited);
      const piece = pieces.at(-1);
      const isPiece = piece !== undefined && piece.unitPriceCents <= left && random.chance(0.5);
      if (isPiece) pieces.pop();
      const note = creditLines({
        lines: isPiece ? [piece] : [],
        rest: goodwill(isPiece ? 0 : random.int(1, left)),
        invoiced,
        credited,
      });
      credited.push(...note);
      for (const [rate, cents] of Object.entries(byRate(credited)))
        if (cents > (byRate(invoiced)[Number(rate)] ?? 0)) faults.push({ run, rate, cents });
    }
    const [given, had] = [byRate(credited), byRate(invoiced)].map((each) => JSON.stringify(each));
    if (given !== had) faults.push({ run, given, had });
  }
  expect(faults).toEqual([]);
});
