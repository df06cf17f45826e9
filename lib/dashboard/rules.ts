import { isoDay, withOrdinalFirst } from "@/lib/dates";

// The periods that the back office's home looks back on, and how it says what it found.

export const PERIODS = {
  "7d": { label: "7 jours", interval: "day" },
  "30d": { label: "30 jours", interval: "day" },
  "90d": { label: "90 jours", interval: "week" },
  "12m": { label: "12 mois", interval: "month" },
} as const;

export type Period = keyof typeof PERIODS;
type Interval = (typeof PERIODS)[Period]["interval"];

export const isPeriod = (text: string | null): text is Period => text !== null && text in PERIODS;

/** The orders of a day, of the week or month that begins with it, or one order. */
export interface OrdersPoint {
  date: string;
  /** Euros. */
  total: number;
}

/**
 * With a zero for each day, week or month in which nobody ordered, so that the line does not leap
 * over it. Points that are no such beginnings stay as they are.
 */
export function withEmptyDays({
  points,
  period,
  today,
}: {
  points: readonly OrdersPoint[];
  period: Period;
  today: Date;
}): OrdersPoint[] {
  const known = new Map(points.map((point) => [keyOf(point), point]));
  const starts = startsOf({ period, today });
  const all = new Set(starts);
  if (known.size < points.length || [...known.keys()].some((key) => !all.has(key)))
    return [...points];
  return starts.map((date) => known.get(date) ?? { date, total: 0 });
}

const keyOf = ({ date }: OrdersPoint) => (date.length === 10 ? date : isoDay(new Date(date)));

/** The first days of a period's parts, as "2026-11-16". Weeks begin on Mondays. */
function startsOf({ period, today }: { period: Period; today: Date }): string[] {
  const { interval } = PERIODS[period];
  const day = firstDayOf({ period, today });
  if (interval === "week") day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  const last = isoDay(today);
  const starts: string[] = [];
  for (let start = isoDay(day); start <= last; start = isoDay(day)) {
    starts.push(start);
    if (interval === "month") day.setUTCMonth(day.getUTCMonth() + 1);
    else day.setUTCDate(day.getUTCDate() + (interval === "week" ? 7 : 1));
  }
  return starts;
}

/**
 * The first day of a period that ends today, in Paris: "7 jours" are today and the six days before.
 * It is midnight in UTC, where no clock is ever changed and days can be reckoned with.
 */
export function firstDayOf({ period, today }: { period: Period; today: Date }): Date {
  const day = new Date(`${isoDay(today)}T00:00Z`);
  // From the first of a month on: a month that has begun counts as a whole.
  if (period === "12m") day.setUTCMonth(day.getUTCMonth() - 11, 1);
  else day.setUTCDate(day.getUTCDate() - (Number.parseInt(period, 10) - 1));
  return day;
}

/** Of what waits to be done, no more are counted. */
export const MAX_WAITING = 1_000;

const timeZone = "Europe/Paris";
const dayFormat = new Intl.DateTimeFormat("fr-FR", { day: "numeric", month: "short", timeZone });
const monthFormat = new Intl.DateTimeFormat("fr-FR", { month: "short", year: "numeric", timeZone });

/** How a point is called: "20 nov.", "1er nov.", "sem. du 16 nov.", "nov. 2026". */
export function labelOfPoint({ date, interval }: { date: string; interval: Interval }): string {
  // A day without a time is that day in Paris, too: noon is the same day everywhere near.
  const moment = new Date(date.length === 10 ? `${date}T12:00Z` : date);
  const label = withOrdinalFirst((interval === "month" ? monthFormat : dayFormat).format(moment));
  return interval === "week" ? `sem. du ${label}` : label;
}
