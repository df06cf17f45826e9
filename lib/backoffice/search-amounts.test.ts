import { expect, test } from "@playwright/test";
import { amountsIn } from "./search-amounts";

test("amounts in a search are told from other numbers", () => {
  for (const [search, ...cents] of [
    ["42,90", 4290],
    ["42.90", 4290],
    ["42,9", 4290],
    ["42,90 €", 4290],
    ["42,90\u00a0€", 4290],
    ["43 €", 4300],
    ["1 250,00", 125_000],
    ["1\u202f250,5", 125_050],
    ["1250,00", 125_000],
    ["0,05", 5],
    ["42,90, 12,00", 4290, 1200],
    ["43"],
    ["69003"],
    ["12 rue des Lilas"],
    ["1 250"],
    ["v1.5"],
    ["1.2.3"],
    ["42,905"],
    ["12,5cm"],
    ["CMD-2026-000012"],
    ["12345678,00"],
  ] as const)
    expect(
      amountsIn(search).amounts.map((amount) => amount.cents),
      search,
    ).toEqual(cents);
});

test("the words beside an amount remain as the text to search for", () => {
  const { amounts, rest } = amountsIn("durand 42,90 € lyon");
  expect(amounts).toEqual([{ text: "42,90 €", cents: 4290 }]);
  expect(rest.split(/\s+/)).toEqual(["durand", "lyon"]);
  expect(amountsIn("12 rue").rest).toBe("12 rue");
});
