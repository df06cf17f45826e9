// Dates are shown in French format and in Paris time, wherever the server or the reader is.

const timeZone = "Europe/Paris";
const dayFormat = new Intl.DateTimeFormat("fr-FR", { dateStyle: "short", timeZone });
const longDayFormat = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone });
const isoDayFormat = new Intl.DateTimeFormat("fr-CA", { timeZone });
const timeFormat = new Intl.DateTimeFormat("fr-FR", { timeStyle: "short", timeZone });

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

function toDate(date: Date | string): Date {
  return typeof date === "string" ? new Date(date) : date;
}

/** "2026-11-05T13:30:00+00:00": how the API writes a moment, to the second and in UTC. */
export function isoDateTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** "05/11/2026". Takes a Date or an ISO 8601 text; throws a RangeError for anything else. */
export function formatDate(date: Date | string): string {
  return dayFormat.format(toDate(date));
}

/** The first of a month is an ordinal in French, which `Intl` does not write: "1er janvier 2026". */
export const withOrdinalFirst = (text: string): string => text.replace(/^1(?=\s)/, "1er");

/** "5 novembre 2026", "1er janvier 2026". */
export function formatLongDate(date: Date | string): string {
  return withOrdinalFirst(longDayFormat.format(toDate(date)));
}

/** "05/11/2026 à 14:30". Put together by hand: engines differ in the word between day and time. */
export function formatDateTime(date: Date | string): string {
  return `${dayFormat.format(toDate(date))} à ${timeFormat.format(toDate(date))}`;
}

/** "05/11/2026 14:30": French spreadsheets read this as a date, unlike a text with "à" in it. */
export function formatMoment(date: Date | string): string {
  return `${dayFormat.format(toDate(date))} ${timeFormat.format(toDate(date))}`;
}

/** "2026-11-05". */
export const isoDay = (date: Date): string => isoDayFormat.format(date);

/** Calendar days in Paris from today to a date; negative for a past date. */
export const daysUntil = (date: Date, now = new Date()): number =>
  (Date.parse(isoDay(date)) - Date.parse(isoDay(now))) / DAY;

/**
 * Adds calendar days of Paris. The day is also right for a time near midnight when the clocks change in
 * between and a day has 23 or 25 hours.
 */
export function addDays(date: Date, days: number): Date {
  const later = new Date(date.getTime() + days * DAY);
  const daysTooMany = daysUntil(later, date) - days;
  return new Date(later.getTime() - daysTooMany * HOUR);
}
