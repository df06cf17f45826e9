import { expect, test } from "@playwright/test";
import { amountsIn } from "./search-amounts";

for (const { search, cents } of [
  { search: "42,90", cents: [4290] },
  { search: "42.90", cents: [4290] },
  { search: "42,9", cents: [4290] },
  { search: "42,90 €", cents: [4290] },
  { search: "42,90€", cents: [4290] },
  { search: "42,90\u00a0€", cents: [4290] },
  { search: "43 €", cents: [4300] },
  { search: "1 250,00", cents: [125_000] },
  { search: "1\u00a0250,00\u00a0€", cents: [125_000] },
  { search: "1\u202f250,5", cents: [125_050] },
  { search: "1250,00", cents: [125_000] },
  { search: "0,05", cents: [5] },
  { search: "durand 42,90 lyon", cents: [4290] },
  { search: "42,90, 12,00", cents: [4290, 1200] },
  // Numbers that are not amounts.
  { search: "43", cents: [] },
  { search: "69003", cents: [] },
  { search: "12 rue des Lilas", cents: [] },
  { search: "1 250", cents: [] },
  { search: "v1.5", cents: [] },
  { search: "1.2.3", cents: [] },
  { search: "42,905", cents: [] },
  { search: "12,5cm", cents: [] },
  { search: "CMD-2026-000012", cents: [] },
  { search: "12345678,00", cents: [] },
])
  test(`amounts in "${search}"`, () => {
    expect(amountsIn(search).amounts.map((amount) => amount.cents)).toEqual(cents);
  });

test("the words beside an amount remain as the text to search for", () => {
  const { amounts, rest } = amountsIn("durand 42,90 € lyon");
  expect(amounts).toEqual([{ text: "42,90 €", cents: 4290 }]);
  expect(rest.split(/\s+/)).toEqual(["durand", "lyon"]);
  expect(amountsIn("12 rue").rest).toBe("12 rue");
});
