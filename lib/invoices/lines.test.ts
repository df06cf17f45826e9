import { expect, test } from "@playwright/test";
import { linesWithTotal } from "@/lib/invoices/lines";

const book = { name: "Livre", quantity: 2, unitPriceCents: 1000, vatRateBp: 550 };
const lamp = { name: "Lampe", quantity: 1, unitPriceCents: 1500, vatRateBp: 2000 };

test("lines that add up stay as they are", () => {
  expect(linesWithTotal({ lines: [book, lamp], totalCents: 3500 })).toEqual([book, lamp]);
});

test("a difference has a line of its own, at the rate of the largest", () => {
  const lines = linesWithTotal({ lines: [book, lamp], totalCents: 3000 });
  expect(lines).toEqual([
    book,
    lamp,
    { name: "Ajustement", quantity: 1, unitPriceCents: -500, vatRateBp: 550 },
  ]);
  // Changed once more, there is still one.
  expect(linesWithTotal({ lines, totalCents: 3600 })).toHaveLength(3);
  expect(linesWithTotal({ lines, totalCents: 3500 })).toEqual([book, lamp]);
});

test("without an order the total is the one line", () => {
  const line = { name: "Montant facturé", quantity: 1, unitPriceCents: 4290, vatRateBp: 2000 };
  expect(linesWithTotal({ lines: [], totalCents: 4290 })).toEqual([line]);
  expect(linesWithTotal({ lines: [line], totalCents: 0 })).toEqual([
    { ...line, unitPriceCents: 0 },
  ]);
});
