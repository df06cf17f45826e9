import { expect, test } from "@playwright/test";
import { isWithinPeriod, refundDate } from "./rules";

test("the period is thirty days for the delivery and fourteen to think it over", () => {
  const ordered = new Date("2026-03-01T10:00:00Z");
  expect(isWithinPeriod(ordered, Date.parse("2026-03-01T10:00:00Z"))).toBe(true);
  expect(isWithinPeriod(ordered, Date.parse("2026-04-14T10:00:00Z"))).toBe(true);
  expect(isWithinPeriod(ordered, Date.parse("2026-04-14T10:00:01Z"))).toBe(false);
});

test("the refund is due within fourteen days", () => {
  expect(refundDate(new Date("2026-12-24T10:00:00Z"))).toEqual(new Date("2027-01-07T10:00:00Z"));
});
