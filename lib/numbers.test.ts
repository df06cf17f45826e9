import { expect, test } from "@playwright/test";
import { formatNumber, toNumberFieldValue, wholeNumber } from "./numbers";

test("numbers are written the French way", () => {
  expect(formatNumber(999)).toBe("999");
  expect(formatNumber(2715)).toBe("2\u202f715");
  expect(formatNumber(1_234_567.5)).toBe("1\u202f234\u202f567,5");
  expect(formatNumber(-1000)).toBe("−1\u202f000");
});

const TYPED: [text: string, number: string | null][] = [
  ["12", "12"],
  ["12.5", "12.5"],
  ["12,50", "12.50"],
  ["-5", "-5"],
  ["−5,00", "-5.00"],
  ["1e2", "1e2"],
  // Spaces of every width, and the apostrophes of Switzerland.
  ["1 250", "1250"],
  ["1\u00a0250,50\u00a0€", "1250.50"],
  ["1\u202f234\u202f567,5\u00a0€", "1234567.5"],
  ["1’250.50", "1250.50"],
  [" 12,50\n", "12.50"],
  ["€12.50", "12.50"],
  ["850\u00a0g", "850"],
  ["1\u202f200 Ko", "1200"],
  // Two different signs: the last one is the decimal sign.
  ["1.250,50", "1250.50"],
  ["1,250.50", "1250.50"],
  ["1.250.000,5", "1250000.5"],
  ["1,250,000.", "1250000"],
  // A sign that occurs twice is a thousands separator.
  ["1.250.000", "1250000"],
  ["1,250,000", "1250000"],
  // A single sign is the decimal sign. Fields that take fewer decimals refuse the result.
  ["1.250", "1.250"],
  ["1,250", "1.250"],
  // Partial input, while a number is being typed.
  [",", "."],
  ["-", "-"],
  [",5", ".5"],
  ["12,", "12."],
  ["", ""],
  ["\u202f", ""],
  // Not numbers.
  ["12,5,0", null],
  ["1.25,50", null],
  ["12,345.67,8", null],
  ["1.2.3", null],
  ["12-50", null],
  ["12 ou 15", null],
  ["douze", null],
  ["e", null],
  ["0x10", null],
];

test("typed and pasted numbers are parsed", () => {
  for (const [text, number] of TYPED)
    expect(toNumberFieldValue(text), JSON.stringify(text)).toBe(number);
});

test("a whole number must not have decimals, not even zeros, which may be thousands", () => {
  expect(["0", "12", "-3", " 7 "].map(wholeNumber)).toEqual([0, 12, -3, 7]);
  for (const text of ["", "1.000", "12.0", "1e3", "1,5", "douze"])
    expect(wholeNumber(text), text).toBeNaN();
});
