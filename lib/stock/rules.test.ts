import { expect, test } from "@playwright/test";
import { availabilityText, isShownAlike, MAX_STOCK, piecesIn, shownStock } from "./rules";

const figures = (stock: number | null, lowStockThreshold: number | null = 3) => ({
  stock,
  lowStockThreshold,
});

test("the public sees a stock only at or below its threshold", () => {
  for (const [stock, threshold, availability, shown] of [
    [4, 3, "in_stock", null],
    [3, 3, "low", 3],
    [1, 3, "low", 1],
    [0, 3, "sold_out", null],
    [null, 3, "unlimited", null],
    [1, null, "in_stock", null],
    [0, null, "sold_out", null],
    [1, 0, "in_stock", null],
  ] as const)
    expect(shownStock(figures(stock, threshold))).toEqual({ availability, stock: shown });
});

test("the pages change only when the displayed stock changes", () => {
  for (const [one, other, isAlike] of [
    [9, 4, true],
    [2, 2, true],
    [4, 3, false],
    [3, 2, false],
    [1, 0, false],
    [null, 9, false],
  ] as const)
    expect(isShownAlike(figures(one), figures(other)), `${one}, ${other}`).toBe(isAlike);
});

test("the availability is described in French", () => {
  expect(availabilityText({ availability: "in_stock", stock: null })).toBe("En stock");
  expect(availabilityText({ availability: "low", stock: 1 })).toBe("Plus que 1 exemplaire");
  expect(availabilityText({ availability: "low", stock: 2715 })).toBe(
    "Plus que 2\u202f715 exemplaires",
  );
  expect(availabilityText({ availability: "sold_out", stock: null })).toBe("Épuisé");
  expect(availabilityText({ availability: "unlimited", stock: null })).toBeNull();
  expect(availabilityText({})).toBeNull();
});

test("pieces are whole numbers from 0 on", () => {
  expect([0, 12, "12", " 7 ", MAX_STOCK].map(piecesIn)).toEqual([0, 12, 12, 7, MAX_STOCK]);
  const wrong = [-1, 1.5, Number.NaN, MAX_STOCK + 1, "-1", "1,5", "", "1e3", null, true];
  for (const value of wrong) expect(piecesIn(value), String(value)).toBeNull();
});
