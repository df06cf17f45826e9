import { expect, test } from "@playwright/test";
import {
  addDays,
  daysUntil,
  formatDate,
  formatDateTime,
  formatLongDate,
  formatMoment,
  isoDateTime,
} from "@/lib/dates";

test("dates are written the French way", () => {
  expect(formatDate("2026-11-05T13:30:00Z")).toBe("05/11/2026");
  expect(formatLongDate("2026-11-05T13:30:00Z")).toBe("5 novembre 2026");
  expect(formatLongDate("2025-12-31T23:30:00Z")).toBe("1er janvier 2026");
  expect(["2026-02-11", "2026-02-21", "2026-03-31"].map(formatLongDate)).toEqual([
    "11 février 2026",
    "21 février 2026",
    "31 mars 2026",
  ]);
  expect(formatDateTime(new Date("2026-11-05T13:30:00Z"))).toBe("05/11/2026 à 14:30");
});

test("timestamps of the API contain their offset", () => {
  expect(isoDateTime(new Date("2026-11-05T14:30:59.999+01:00"))).toBe("2026-11-05T13:30:59+00:00");
});

test("the day is the one in Paris, in winter and in summer time", () => {
  expect(formatDate("2026-12-31T23:30:00Z")).toBe("01/01/2027");
  expect(formatDateTime("2026-07-14T22:15:00Z")).toBe("15/07/2026 à 00:15");
  expect(formatMoment("2026-11-26T23:31:13+00:00")).toBe("27/11/2026 00:31");
  expect(formatDateTime("2026-07-14T22:15:00+02:00")).toBe("14/07/2026 à 22:15");
});

test("a text that is no date is an error and not 'Invalid Date'", () => {
  expect(() => formatDate("hier")).toThrow(RangeError);
});

test("days are those of the calendar in Paris", () => {
  const now = new Date("2026-03-27T22:30:00Z");
  // 28 March in Paris already; the clocks change on the 29th.
  expect(daysUntil(new Date("2026-03-27T23:30:00Z"), now)).toBe(1);
  expect(daysUntil(new Date("2026-03-27T22:59:00Z"), now)).toBe(0);
  expect(daysUntil(new Date("2026-04-10T10:00:00Z"), now)).toBe(14);
  expect(daysUntil(new Date("2026-03-25T23:30:00Z"), now)).toBe(-1);
});

test("adding days keeps the local time across clock changes", () => {
  expect(addDays(new Date("2026-12-24T10:00:00Z"), 14)).toEqual(new Date("2027-01-07T10:00:00Z"));
  // 23:30 stays 23:30 when the clocks go forward, and 0:15 stays 0:15 when they go back.
  expect(addDays(new Date("2026-03-25T22:30:00Z"), 14)).toEqual(new Date("2026-04-08T21:30:00Z"));
  expect(addDays(new Date("2026-10-19T22:15:00Z"), 14)).toEqual(new Date("2026-11-02T23:15:00Z"));
  expect(addDays(new Date("2026-11-25T22:30:00Z"), -40)).toEqual(new Date("2026-10-16T21:30:00Z"));
});
