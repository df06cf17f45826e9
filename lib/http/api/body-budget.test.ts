import { expect, test } from "@playwright/test";
import { BodyBudget } from "@/lib/http/api/body-budget";

const KIB = 2 ** 10;

test("bodies share the budget, and release what they held", () => {
  const budget = new BodyBudget(100 * KIB);
  const first = budget.open();
  const second = budget.open();
  expect(first.resize(68 * KIB)).toBe(true);
  expect(second.resize(50 * KIB)).toBe(false);
  expect(second.resize(48 * KIB)).toBe(true);
  // A refusal leaves both as they were.
  expect(second.resize(49 * KIB)).toBe(false);
  first.close();
  first.close();
  expect(second.resize(108 * KIB)).toBe(true);
  second.close();
  expect(budget.open().resize(108 * KIB)).toBe(true);
});

test("the first bytes of each body are accepted even if the budget is used up", () => {
  const budget = new BodyBudget(100 * KIB);
  expect(budget.open().resize(108 * KIB)).toBe(true);
  for (let count = 0; count < 10; count++) {
    const body = budget.open();
    expect(body.resize(8 * KIB)).toBe(true);
    expect(body.resize(8 * KIB + 1)).toBe(false);
  }
});
