import { expect, test } from "@playwright/test";
import { centsFromEuros, centsOfAmount, eurosFromCents, formatEuros } from "@/lib/money";

test("amounts are written the French way", () => {
  expect([4290, 5, 0, 123_456_789, -1250].map(formatEuros)).toEqual([
    "42,90\u00a0€",
    "0,05\u00a0€",
    "0,00\u00a0€",
    "1\u202f234\u202f567,89\u00a0€",
    "−12,50\u00a0€",
  ]);
});

test("every amount of two decimals survives the way to cents and back", () => {
  const lost: number[] = [];
  for (let cents = 0; cents <= 2_000_000; cents += 1) {
    if (centsFromEuros(eurosFromCents(cents)) !== cents) lost.push(cents);
  }
  expect(lost).toEqual([]);
});

test("amounts are read exactly, also from texts with a point or a comma", () => {
  for (const [given, cents] of [
    [1.15, 115],
    [8.2, 820],
    [1_000_000.01, 100_000_001],
    [-3.5, -350],
    [-0, 0],
    ["42,90", 4290],
    [" 42.9 ", 4290],
    ["7", 700],
  ] as const)
    expect(centsFromEuros(given), String(given)).toBe(cents);
});

test("JSON amounts are rounded to cents", () => {
  expect([1.15, 0, 12.346].map(centsOfAmount)).toEqual([115, 0, 1235]);
});

test("texts that are no amount of at most two decimals are refused", () => {
  for (const wrong of [
    ...[1.234, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e21],
    ...["", "abc", "1,234", "1 000", "1.", ".5", "0x10", "1e3"],
    ...["90071992547409.93", "99999999999999999999"],
  ]) {
    expect(centsFromEuros(wrong), String(wrong)).toBeNull();
  }
});
