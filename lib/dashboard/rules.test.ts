import { expect, test } from "@playwright/test";
import { isoDay } from "@/lib/dates";
import { firstDayOf, labelOfPoint, type Period, withEmptyDays } from "./rules";

const firstOf = (period: Period, today: string) =>
  isoDay(firstDayOf({ period, today: new Date(today) }));

test("a period ends today and counts it", () => {
  const today = "2026-11-20T10:00:00+01:00";
  expect(firstOf("7d", today)).toBe("2026-11-14");
  expect(firstOf("30d", today)).toBe("2026-10-22");
  expect(firstOf("90d", today)).toBe("2026-08-23");
  expect(firstOf("12m", today)).toBe("2025-12-01");
});

test("a period ends with the current day in Paris, in any time zone", () => {
  const zone = process.env.TZ;
  try {
    for (const place of ["Asia/Dubai", "America/Los_Angeles", "UTC"]) {
      process.env.TZ = place;
      // 22:30 on the last day of May, and half an hour into June.
      expect(firstOf("12m", "2026-05-31T20:30:00Z"), place).toBe("2025-06-01");
      expect(firstOf("12m", "2026-05-31T22:30:00Z"), place).toBe("2025-07-01");
      expect(firstOf("7d", "2026-05-31T20:30:00Z"), place).toBe("2026-05-25");
      // Within these days the clocks change in Paris, but not elsewhere.
      expect(firstOf("30d", "2026-11-08T23:30:00Z"), place).toBe("2026-10-11");
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("days are those of Paris", () => {
  expect(isoDay(new Date("2026-11-20T23:30:00Z"))).toBe("2026-11-21");
  expect(labelOfPoint({ date: "2026-11-20T23:30:00Z", interval: "day" })).toBe("21 nov.");
  expect(labelOfPoint({ date: "2026-11-20", interval: "day" })).toBe("20 nov.");
  expect(labelOfPoint({ date: "2026-11-01", interval: "day" })).toBe("1er nov.");
  expect(labelOfPoint({ date: "2026-06-01", interval: "week" })).toBe("sem. du 1er juin");
  expect(labelOfPoint({ date: "2026-11-16", interval: "week" })).toBe("sem. du 16 nov.");
  expect(labelOfPoint({ date: "2026-11-01", interval: "month" })).toBe("nov. 2026");
});

test("days, weeks and months without orders count as zero", () => {
  const today = new Date("2026-11-20T10:00:00+01:00");
  const fill = (period: Period, dates: string[]) =>
    withEmptyDays({ points: dates.map((date) => ({ date, total: 5 })), period, today });
  expect(fill("7d", ["2026-11-16"]).map(({ total }) => total)).toEqual([0, 0, 5, 0, 0, 0, 0]);
  const weeks = fill("90d", ["2026-08-17", "2026-11-16"]);
  expect(weeks).toHaveLength(14);
  expect(weeks.filter(({ total }) => total > 0)).toHaveLength(2);
  // A timestamp belongs to its day in Paris.
  const months = fill("12m", ["2025-11-30T23:00:00Z", "2026-11-01"]);
  expect(months.map(({ total }) => total)).toEqual([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
  // Points that are no beginning of a part are shown as they are.
  expect(fill("90d", ["2026-11-18"])).toEqual([{ date: "2026-11-18", total: 5 }]);
  expect(fill("7d", ["2026-11-16", "2026-11-16"])).toHaveLength(2);
});
