import { addDays, isoDay, withOrdinalFirst } from "@/lib/dates";
import { isWorkingDay, workingDayFrom } from "@/lib/shop/working-days";

const timeZone = "Europe/Paris";
const weekdayFormat = new Intl.DateTimeFormat("fr-FR", { weekday: "short", timeZone });
const dayFormat = new Intl.DateTimeFormat("fr-FR", { day: "numeric", timeZone });
const dayAndMonthFormat = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "long",
  timeZone,
});

/**
 * The working days that a delay promises: "2 à 3 jours ouvrés", "1 jour ouvré", "Sous 5 jours ouvrés" (0 to 5).
 * Null for any other text: staff write what they like.
 */
export function workingDaysOf(delay: string): { min: number; max: number } | null {
  const found =
    /^\s*(?:(sous|en)\s+)?(\d{1,2})(?:\s*(?:à|ou|-|–)\s*(\d{1,2}))?\s+jours?\s+ouvrés?\s*$/iu.exec(
      delay,
    );
  if (!found) return null;
  const [, word, from, to] = found;
  const isLimit = word?.toLowerCase() === "sous" && to === undefined;
  const [first, last] = [isLimit ? 0 : Number(from), Number(to ?? from)];
  return { min: Math.min(first, last), max: Math.max(first, last) };
}

/** The working day that comes so many working days later. */
function addWorkingDays(date: Date, count: number): Date {
  let later = date;
  for (let left = count; left > 0; ) {
    later = addDays(later, 1);
    if (isWorkingDay(isoDay(later))) left -= 1;
  }
  return later;
}

/**
 * "Arrive entre le mer. 2 et le jeu. 3 décembre" or "Arrive au plus tard le jeu. 3 décembre", for an order at this
 * time; null for a delay without a number of working days. An order of a weekend or a public holiday counts from the next working day.
 */
export function arrivalText({
  delay,
  from,
}: {
  delay: string;
  from: Date | string;
}): string | null {
  const days = workingDaysOf(delay);
  if (!days) return null;
  const start = workingDayFrom(typeof from === "string" ? new Date(from) : from);
  const [first, last] = [addWorkingDays(start, days.min), addWorkingDays(start, days.max)];
  if (days.min === days.max) return `Arrive le ${dayText(last)}`;
  if (days.min === 0) return `Arrive au plus tard le ${dayText(last)}`;
  const isSameMonth = isoDay(first).slice(0, 7) === isoDay(last).slice(0, 7);
  return `Arrive entre le ${dayText(first, !isSameMonth)} et le ${dayText(last)}`;
}

/** "mer. 2 décembre", or "mer. 2". */
function dayText(date: Date, hasMonth = true): string {
  const format = hasMonth ? dayAndMonthFormat : dayFormat;
  return `${weekdayFormat.format(date)}\u00a0${withOrdinalFirst(`${format.format(date)} `).trim()}`;
}
