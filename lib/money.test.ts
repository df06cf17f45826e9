import { expect, test } from "@playwright/test";
import { centsFromEuros, centsOfAmount, eurosFromCents, formatEuros } from "@/lib/money";

test("amounts are written the French way", () => {
  expect(formatEuros(4290)).toBe("42,90\u00a0€");
  expect(formatEuros(5)).toBe("0,05\u00a0€");
  expect(formatEuros(0)).toBe("0,00\u00a0€");
  expect(formatEuros(123_456_789)).toBe("1\u202f234\u202f567,89\u00a0€");
  expect(formatEuros(-1250)).toBe("−12,50\u00a0€");
});

test("every amount of two decimals survives the way to cents and back", () => {
  const lost: number[] = [];
  for (let cents = 0; cents <= 2_000_000; cents += 1) {
    if (centsFromEuros(eurosFromCents(cents)) !== cents) lost.push(cents);
  }
  expect(lost).toEqual([]);
});

test("amounts that floating point gets wrong are exact", () => {
  expect(centsFromEuros(1.15)).toBe(115);
  expect(centsFromEuros(8.2)).toBe(820);
  expect(centsFromEuros(1_000_000.01)).toBe(100_000_001);
  expect(centsFromEuros(-3.5)).toBe(-350);
  expect(centsFromEuros(-0)).toBe(0);
});

test("JSON amounts are rounded to cents", () => {
  expect(centsOfAmount(1.15)).toBe(115);
  expect(centsOfAmount(0)).toBe(0);
  expect(centsOfAmount(12.346)).toBe(1235);
});

test("texts are read with a point or a comma", () => {
  expect(centsFromEuros("42,90")).toBe(4290);
  expect(centsFromEuros(" 42.9 ")).toBe(4290);
  expect(centsFromEuros("7")).toBe(700);
});

test("texts that are no amount of at most two decimals are refused", () => {
  for (const wrong of [
    1.234,
    0.1 + 0.2,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    "",
    "abc",
    "1,234",
    "1 000",
    "1.",
    ".5",
    "0x10",
    "1e3",
    "90071992547409.93",
    "99999999999999999999",
  ]) {
    expect(centsFromEuros(wrong), String(wrong)).toBeNull();
  }
});
