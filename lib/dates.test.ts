import { expect, test } from "@playwright/test";
import { formatDate, formatDateTime, formatLongDate, isoDateTime } from "@/lib/dates";

test("dates are written the French way", () => {
  expect(formatDate("2026-11-05T13:30:00Z")).toBe("05/11/2026");
  expect(formatLongDate("2026-11-05T13:30:00Z")).toBe("5 novembre 2026");
  expect(formatDateTime(new Date("2026-11-05T13:30:00Z"))).toBe("05/11/2026 à 14:30");
});

test("the API's moments carry their offset", () => {
  expect(isoDateTime(new Date("2026-11-05T14:30:59.999+01:00"))).toBe("2026-11-05T13:30:59+00:00");
});

test("the day is the one in Paris, in winter and in summer time", () => {
  expect(formatDate("2026-12-31T23:30:00Z")).toBe("01/01/2027");
  expect(formatDateTime("2026-07-14T22:15:00Z")).toBe("15/07/2026 à 00:15");
  expect(formatDateTime("2026-07-14T22:15:00+02:00")).toBe("14/07/2026 à 22:15");
});

test("a text that is no date is an error and not 'Invalid Date'", () => {
  expect(() => formatDate("hier")).toThrow(RangeError);
});
