import { expect, test } from "@playwright/test";
import { isWorkingDay, workingDayFrom } from "@/lib/shop/working-days";

test("the public holidays of a year, Easter's among them, are no working days", () => {
  const holidays: Record<number, string[]> = {
    2024: ["04-01", "05-09", "05-20"],
    2025: ["04-21", "05-29", "06-09"],
    2026: ["04-06", "05-14", "05-25"],
    2027: ["03-29", "05-06", "05-17"],
    // Ascension Day before and after 1 and 8 May.
    2008: ["03-24", "05-01", "05-12"],
    // The earliest and the latest Easter of these centuries.
    2038: ["04-26", "06-03", "06-14"],
    2285: ["03-23", "04-30", "05-11"],
  };
  const fixed = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"];
  for (const [year, movable] of Object.entries(holidays)) {
    const expected = new Set([...fixed, ...movable].map((day) => `${year}-${day}`));
    const found: string[] = [];
    for (let time = Date.UTC(Number(year), 0, 1); ; time += 24 * 3600 * 1000) {
      const date = new Date(time);
      if (date.getUTCFullYear() !== Number(year)) break;
      const day = date.toISOString().slice(0, 10);
      const isWeekend = date.getUTCDay() % 6 === 0;
      if (isWeekend) expect(isWorkingDay(day), day).toBe(false);
      else if (!isWorkingDay(day)) found.push(day);
    }
    const onWeekdays = [...expected].filter((day) => new Date(day).getUTCDay() % 6 !== 0);
    expect(found).toEqual(onWeekdays.toSorted());
  }
});

for (const { ends, runsTo, why } of [
  { ends: "2026-03-06", runsTo: "2026-03-06", why: "a Friday" },
  { ends: "2026-03-07", runsTo: "2026-03-09", why: "a Saturday" },
  { ends: "2026-03-08", runsTo: "2026-03-09", why: "a Sunday" },
  { ends: "2026-04-04", runsTo: "2026-04-07", why: "the Saturday before Easter" },
  { ends: "2026-04-06", runsTo: "2026-04-07", why: "Easter Monday" },
  { ends: "2026-05-14", runsTo: "2026-05-15", why: "Ascension Day" },
  { ends: "2026-05-23", runsTo: "2026-05-26", why: "the Saturday before Whit Monday" },
  { ends: "2026-07-14", runsTo: "2026-07-15", why: "14 July, a Tuesday" },
  { ends: "2025-07-12", runsTo: "2025-07-15", why: "the Saturday before Monday 14 July" },
  { ends: "2026-12-25", runsTo: "2026-12-28", why: "Christmas, a Friday" },
  { ends: "2027-01-01", runsTo: "2027-01-04", why: "New Year's Day, a Friday" },
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
