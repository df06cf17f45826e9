import { expect, test } from "@playwright/test";
import { formatNumber } from "./numbers";

test("numbers are written the French way", () => {
  expect(formatNumber(999)).toBe("999");
  expect(formatNumber(2715)).toBe("2\u202f715");
  expect(formatNumber(1_234_567.5)).toBe("1\u202f234\u202f567,5");
  expect(formatNumber(-1000)).toBe("−1\u202f000");
});
