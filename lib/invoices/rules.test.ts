import { expect, test } from "@playwright/test";
import { createRandom } from "@/db/seed/random";
import {
  formatRate,
  linesWithTotal,
  unitNetCents,
  vatByRate,
  vatTotals,
} from "@/lib/invoices/rules";

const line = (unitPriceCents: number, vatRateBp = 2000, quantity = 1) => ({
  unitPriceCents,
  vatRateBp,
  quantity,
});

test("the VAT in a price is found per rate, highest first", () => {
  expect(vatByRate([line(550, 550), line(1200), line(2400, 2000, 2), line(1021, 210)])).toEqual([
    { vatRateBp: 2000, netCents: 5000, vatCents: 1000, grossCents: 6000 },
    { vatRateBp: 550, netCents: 521, vatCents: 29, grossCents: 550 },
    { vatRateBp: 210, netCents: 1000, vatCents: 21, grossCents: 1021 },
  ]);
  expect(vatByRate([])).toEqual([]);
  expect(vatByRate([line(999, 0)])).toEqual([
    { vatRateBp: 0, netCents: 999, vatCents: 0, grossCents: 999 },
  ]);
});

test("half a cent is rounded away from zero, and cents are lost nowhere", () => {
  // 3 / 1.2 = 2.5
  expect(vatByRate([line(3)])[0]).toMatchObject({ netCents: 3, vatCents: 0 });
  expect(vatByRate([line(-3)])[0]).toMatchObject({ netCents: -3, vatCents: 0 });
  expect(vatByRate([line(-400)])[0]).toMatchObject({ netCents: -333, vatCents: -67 });
  const wrong: unknown[] = [];
  const random = createRandom(42);
  for (let round = 0; round < 2_000; round++) {
    const lines = Array.from({ length: random.int(1, 20) }, () =>
      line(
        random.int(-300_000, 700_000),
        random.pick([2000, 1000, 550, 210, 0]),
        random.int(1, 99),
      ),
    );
    const paid = lines.reduce((sum, one) => sum + one.quantity * one.unitPriceCents, 0);
    const amounts = vatByRate(lines);
    const { netCents, vatCents, grossCents } = vatTotals(amounts);
    const isRounded = amounts.every(({ vatRateBp, ...of }) => {
      const exact = (of.grossCents * 10_000) / (10_000 + vatRateBp);
      return Number.isInteger(of.netCents) && Math.abs(of.netCents - exact) <= 0.5 + 1e-6;
    });
    if (grossCents !== paid || netCents + vatCents !== paid || !isRounded)
      wrong.push({ lines, amounts });
  }
  expect(wrong).toEqual([]);
});

test("amounts beyond what a floating point number multiplies exactly stay exact", () => {
  const [amount] = vatByRate([line(2_147_483_647, 2000, 99)]);
  expect(amount).toEqual({
    vatRateBp: 2000,
    grossCents: 212_600_881_053,
    netCents: 177_167_400_878,
    vatCents: 35_433_480_175,
  });
});

test("rates are written as France reads them", () => {
  expect([2000, 1000, 550, 210, 0].map(formatRate)).toEqual([
    "20\u00a0%",
    "10\u00a0%",
    "5,5\u00a0%",
    "2,1\u00a0%",
    "0\u00a0%",
  ]);
});

const book = { name: "Livre", quantity: 2, unitPriceCents: 1000, vatRateBp: 550 };
const lamp = { name: "Lampe", quantity: 1, unitPriceCents: 1500, vatRateBp: 2000 };

const adjustment = { kind: "adjustment", name: "Ajustement", quantity: 1 } as const;

test("a changed total adds adjustment lines, in proportion to the amounts at each rate", () => {
  const lines = linesWithTotal({ lines: [book, lamp], totalCents: 3000 });
  expect(linesWithTotal({ lines: [book, lamp], totalCents: 3500 })).toEqual([book, lamp]);
  expect(lines).toEqual([
    book,
    lamp,
    { ...adjustment, unitPriceCents: -214, vatRateBp: 2000 },
    { ...adjustment, unitPriceCents: -286, vatRateBp: 550 },
  ]);
  expect(vatByRate(lines)).toEqual([
    { vatRateBp: 2000, grossCents: 1286, netCents: 1072, vatCents: 214 },
    { vatRateBp: 550, grossCents: 1714, netCents: 1625, vatCents: 89 },
  ]);
  // After a second change, the difference is computed from the sold lines, not from the adjusted ones.
  expect(linesWithTotal({ lines, totalCents: 3501 })).toEqual([
    book,
    lamp,
    { ...adjustment, unitPriceCents: 1, vatRateBp: 550 },
  ]);
  expect(linesWithTotal({ lines, totalCents: 3500 })).toEqual([book, lamp]);
});

test("whatever total is typed, the lines add up to it and no rate is below zero", () => {
  const random = createRandom(45);
  const faults: unknown[] = [];
  for (let run = 0; run < 2000; run++) {
    const sold = Array.from({ length: random.int(1, 6) }, () => ({
      ...lamp,
      quantity: random.int(1, 3),
      unitPriceCents: random.int(0, 9999),
      vatRateBp: random.pick([2000, 1000, 550, 210]),
    }));
    const paid = sold.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
    const totalCents = random.pick([0, 1, paid - 1, paid + 1, random.int(0, 2 * paid)]);
    if (totalCents < 0) continue;
    const amounts = vatByRate(linesWithTotal({ lines: sold, totalCents }));
    const isWrong = amounts.some(({ grossCents, netCents }) => grossCents < 0 || netCents < 0);
    if (isWrong || vatTotals(amounts).grossCents !== totalCents) faults.push({ sold, totalCents });
  }
  expect(faults).toEqual([]);
});

test("without an order the total is the one line, which keeps its rate", () => {
  for (const vatRateBp of [2000, 0]) {
    const only = { ...adjustment, name: "Montant facturé", vatRateBp };
    const lines = linesWithTotal({ lines: [], totalCents: 4290, vatRateBp });
    expect(lines).toEqual([{ ...only, unitPriceCents: 4290 }]);
    expect(linesWithTotal({ lines, totalCents: 0 })).toEqual([{ ...only, unitPriceCents: 0 }]);
  }
  expect(linesWithTotal({ lines: [], totalCents: 100 })).toMatchObject([{ vatRateBp: 2000 }]);
});

test("the net price of a piece excludes its VAT", () => {
  const prices = [line(4290), line(200, 550), line(1000, 850), line(-601), line(999, 0)];
  expect(prices.map(unitNetCents)).toEqual([3575, 190, 922, -501, 999]);
});

test("products named like an adjustment are kept when the total changes", () => {
  const sold = ["Ajustement", "Montant facturé"].map((name) => ({ ...lamp, name }));
  expect(linesWithTotal({ lines: sold, totalCents: 3000 })).toEqual(sold);
  const lines = linesWithTotal({ lines: sold, totalCents: 2900 });
  expect(lines).toHaveLength(3);
  expect(linesWithTotal({ lines, totalCents: 3000 })).toEqual(sold);
});
