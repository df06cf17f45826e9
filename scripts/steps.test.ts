import { expect, test } from "@playwright/test";
import { summaryOf } from "./steps";

test("flaky tests are reported before the last line", () => {
  expect(summaryOf({ passed: 5, failed: 0, flaky: 0 })).toBe("5 passed, 0 failed");
  expect(summaryOf({ passed: 5, failed: 1, flaky: 2 }).split("\n")).toEqual([
    "2 flaky: passed at the second try only",
    "5 passed, 1 failed",
  ]);
});
