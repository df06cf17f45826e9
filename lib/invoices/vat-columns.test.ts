import { expect, test } from "@playwright/test";
import { eurosFromCents } from "@/lib/money";
import { vatByRate, vatTotals } from "./rules";
import { vatColumns } from "./vat-columns";

test("net amounts and VAT have columns per French rate, and one for all other rates", () => {
  const vatAmounts = vatByRate(
    [2000, 550, 850, 105, 1960, 700].map((vatRateBp) => ({
      quantity: 3,
      unitPriceCents: 333,
      vatRateBp,
    })),
  );
  const cells = Object.entries(vatColumns).map(([head, value]) => [head, value({ vatAmounts })]);
  expect(cells).toEqual([
    ["HT 20\u00a0% (€)", 8.33],
    ["TVA 20\u00a0% (€)", 1.66],
    ["HT 10\u00a0% (€)", null],
    ["TVA 10\u00a0% (€)", null],
    ["HT 5,5\u00a0% (€)", 9.47],
    ["TVA 5,5\u00a0% (€)", 0.52],
    ["HT 2,1\u00a0% (€)", null],
    ["TVA 2,1\u00a0% (€)", null],
    ["HT 0\u00a0% (€)", null],
    ["TVA 0\u00a0% (€)", null],
    ["HT 8,5\u00a0% (€)", 9.21],
    ["TVA 8,5\u00a0% (€)", 0.78],
    ["HT 1,05\u00a0% (€)", 9.89],
    ["TVA 1,05\u00a0% (€)", 0.1],
    ["HT autres taux (€)", 17.69],
    ["TVA autres taux (€)", 2.29],
  ]);
  const cents = cells.reduce((sum, [, euros]) => sum + Math.round(Number(euros) * 100), 0);
  expect(eurosFromCents(cents)).toBe(eurosFromCents(vatTotals(vatAmounts).grossCents));
});
