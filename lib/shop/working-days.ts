import { addDays, isoDay } from "@/lib/dates";

// Working days in France, in Paris time. Holidays of a single department (Good Friday in Moselle, the
// abolition of slavery in La Réunion) count as working days.

const SATURDAY = 6;
const SUNDAY = 0;

/** Public holidays on the same day of each year (Code du travail, L3133-1). */
const FIXED_HOLIDAYS = new Set([
  "01-01",
  "05-01",
  "05-08",
  "07-14",
  "08-15",
  "11-01",
  "11-11",
  "12-25",
]);

/** Easter Monday, Ascension Day and Whit Monday, in days after Easter Sunday. */
const AFTER_EASTER = [1, 39, 50];

const DAY = 24 * 3600 * 1000;

/** Easter Sunday at midnight UTC, by the Gregorian computus of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const lateness = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * lateness + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}

/** Is this day, `2026-07-14`, neither a Saturday, a Sunday nor a public holiday? */
export function isWorkingDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  const weekday = new Date(time).getUTCDay();
  if (weekday === SATURDAY || weekday === SUNDAY || FIXED_HOLIDAYS.has(day.slice(5))) return false;
  return !AFTER_EASTER.includes((time - easterOf(Number(day.slice(0, 4)))) / DAY);
}

/** The same time on this day if it is a working day, else on the next working day. */
export function workingDayFrom(date: Date): Date {
  let later = date;
  while (!isWorkingDay(isoDay(later))) later = addDays(later, 1);
  return later;
}
