import { expect, test } from "@playwright/test";
import { isWorkingDay, workingDayFrom } from "@/lib/shop/working-days";

test("the public holidays of a year, Easter's among them, are no working days", () => {
  const holidays: Record<number, string[]> = {
    2024: ["04-01", "05-09", "05-20"],
    2026: ["04-06", "05-14", "05-25"],
    // Ascension Day before and after 1 and 8 May.
    2008: ["03-24", "05-01", "05-12"],
    // The earliest and the latest Easter of these centuries.
    2038: ["04-26", "06-03", "06-14"],
    2285: ["03-23", "04-30", "05-11"],
  };
  const fixed = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"];
  for (const [year, movable] of Object.entries(holidays)) {
    const expected = new Set([...fixed, ...movable].map((day) => `${year}-${day}`));
    for (let time = Date.UTC(Number(year), 0, 1); ; time += 24 * 3600 * 1000) {
      const date = new Date(time);
      if (date.getUTCFullYear() !== Number(year)) break;
      const day = date.toISOString().slice(0, 10);
      const isWeekend = date.getUTCDay() % 6 === 0;
      expect(isWorkingDay(day), day).toBe(!isWeekend && !expected.has(day));
    }
  }
});

for (const [why, ends, runsTo] of [
  ["a Friday", "2026-03-06", "2026-03-06"],
  ["a Saturday", "2026-03-07", "2026-03-09"],
  ["a Sunday", "2026-03-08", "2026-03-09"],
  ["the Saturday before Easter", "2026-04-04", "2026-04-07"],
  ["14 July, a Tuesday", "2026-07-14", "2026-07-15"],
  ["Christmas, a Friday", "2026-12-25", "2026-12-28"],
])
  test(`a period that ends on ${why} (${ends}) runs to ${runsTo}`, () => {
    expect(workingDayFrom(new Date(`${ends}T10:30:00Z`))).toEqual(new Date(`${runsTo}T10:30:00Z`));
  });

test("the day is that of Paris", () => {
  // Saturday in Paris already, Friday in UTC.
  expect(workingDayFrom(new Date("2026-03-06T23:30:00Z"))).toEqual(
    new Date("2026-03-08T23:30:00Z"),
  );
  // The clocks change on Sunday 29 March: 23:30 stays 23:30.
  expect(workingDayFrom(new Date("2026-03-28T22:30:00Z"))).toEqual(
    new Date("2026-03-30T21:30:00Z"),
  );
});
