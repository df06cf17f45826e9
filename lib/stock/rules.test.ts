import { expect, test } from "@playwright/test";
import {
  availabilityOf,
  availabilityText,
  isShownAlike,
  MAX_STOCK,
  piecesIn,
  shownStock,
} from "./rules";

const figures = (stock: number | null, lowStockThreshold: number | null = 3) => ({
  stock,
  lowStockThreshold,
});

test("a product is in stock, low at or below its threshold, sold out, or not counted", () => {
  expect([9, 4, 3, 1, 0, null].map((stock) => availabilityOf(figures(stock)))).toEqual([
    "in_stock",
    "in_stock",
    "low",
    "low",
    "sold_out",
    "unlimited",
  ]);
  expect(availabilityOf(figures(1, null))).toBe("in_stock");
  expect(availabilityOf(figures(0, null))).toBe("sold_out");
  expect(availabilityOf(figures(1, 0))).toBe("in_stock");
});

test("the number of pieces is shown only if the stock is low", () => {
  expect([9, 2, 0, null].map((stock) => shownStock(figures(stock)).stock)).toEqual([
    null,
    2,
    null,
    null,
  ]);
});

test("the pages change only when the displayed stock changes", () => {
  expect(isShownAlike(figures(9), figures(4))).toBe(true);
  expect(isShownAlike(figures(4), figures(3))).toBe(false);
  expect(isShownAlike(figures(3), figures(2))).toBe(false);
  expect(isShownAlike(figures(1), figures(0))).toBe(false);
  expect(isShownAlike(figures(null), figures(9))).toBe(false);
  expect(isShownAlike(figures(2), figures(2))).toBe(true);
});

test("the availability is described in French", () => {
  expect(availabilityText({ availability: "in_stock", stock: null })).toBe("En stock");
  expect(availabilityText({ availability: "low", stock: 2 })).toBe("Plus que 2 exemplaires");
  expect(availabilityText({ availability: "low", stock: 2715 })).toBe(
    "Plus que 2\u202f715 exemplaires",
  );
  expect(availabilityText({ availability: "low", stock: 1 })).toBe("Plus que 1 exemplaire");
  expect(availabilityText({ availability: "sold_out", stock: null })).toBe("Épuisé");
  expect(availabilityText({ availability: "unlimited", stock: null })).toBeNull();
  expect(availabilityText({})).toBeNull();
});

test("pieces are whole numbers from 0 on", () => {
  expect([0, 12, "12", " 7 ", MAX_STOCK].map(piecesIn)).toEqual([0, 12, 12, 7, MAX_STOCK]);
  for (const wrong of [
    -1,
    1.5,
    Number.NaN,
    MAX_STOCK + 1,
    1e300,
    "-1",
    "1,5",
    "",
    "1e3",
    null,
    true,
  ])
    expect(piecesIn(wrong), String(wrong)).toBeNull();
});
