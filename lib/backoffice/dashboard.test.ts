import { expect, test } from "@playwright/test";
import { dayOf, firstDayOf, isPeriod, labelOfPoint, type Period } from "./dashboard";

test("a period ends today and counts it", () => {
  const today = new Date("2026-11-20T10:00:00+01:00");
  const firstOf = (period: Period) => dayOf(firstDayOf({ period, today }));
  expect(firstOf("7d")).toBe("2026-11-14");
  expect(firstOf("30d")).toBe("2026-10-22");
  expect(firstOf("90d")).toBe("2026-08-23");
  expect(firstOf("12m")).toBe("2025-12-01");
});

test("days are those of Paris", () => {
  expect(dayOf(new Date("2026-11-20T23:30:00Z"))).toBe("2026-11-21");
  expect(labelOfPoint({ date: "2026-11-20T23:30:00Z", interval: "day" })).toBe("21 nov.");
  expect(labelOfPoint({ date: "2026-11-20", interval: "day" })).toBe("20 nov.");
  expect(labelOfPoint({ date: "2026-11-16", interval: "week" })).toBe("sem. du 16 nov.");
  expect(labelOfPoint({ date: "2026-11-01", interval: "month" })).toBe("nov. 2026");
});

test("only the periods offered are periods", () => {
  expect(isPeriod("30d")).toBe(true);
  expect(isPeriod("31d")).toBe(false);
  expect(isPeriod(null)).toBe(false);
});
