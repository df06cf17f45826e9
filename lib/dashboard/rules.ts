import { isoDay, withOrdinalFirst } from "@/lib/dates";

// The periods that the back office's home page shows, and the labels of their parts.

export const PERIODS = {
  "7d": { label: "7 jours", interval: "day" },
  "30d": { label: "30 jours", interval: "day" },
  "90d": { label: "90 jours", interval: "week" },
  "12m": { label: "12 mois", interval: "month" },
} as const;

export type Period = keyof typeof PERIODS;
type Interval = (typeof PERIODS)[Period]["interval"];

export const isPeriod = (text: string | null): text is Period => text !== null && text in PERIODS;

/** The orders of a day, of the week or month that begins on this day, or a single order. */
export interface OrdersPoint {
  date: string;
  /** Euros. */
  total: number;
}

/**
 * Adds a zero for each day, week or month without orders, so that the chart's line does not skip it. Points
 * that are no beginning of a day, week or month stay as they are.
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

/** The first day of each part of a period, as "2026-11-16". Weeks begin on Mondays. */
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
 * Returned as midnight in UTC, which has no clock changes, so that days can be added.
 */
export function firstDayOf({ period, today }: { period: Period; today: Date }): Date {
  const day = new Date(`${isoDay(today)}T00:00Z`);
  // Starts on the first of the month: a month counts as a whole.
  if (period === "12m") day.setUTCMonth(day.getUTCMonth() - 11, 1);
  else day.setUTCDate(day.getUTCDate() - (Number.parseInt(period, 10) - 1));
  return day;
}

/** Waiting items are counted up to this number. */
export const MAX_WAITING = 1_000;

const timeZone = "Europe/Paris";
const dayFormat = new Intl.DateTimeFormat("fr-FR", { day: "numeric", month: "short", timeZone });
const monthFormat = new Intl.DateTimeFormat("fr-FR", { month: "short", year: "numeric", timeZone });

/** A point's label: "20 nov.", "1er nov.", "sem. du 16 nov.", "nov. 2026". */
export function labelOfPoint({ date, interval }: { date: string; interval: Interval }): string {
  // A date without a time is a day in Paris: at noon UTC it is the same day there.
  const moment = new Date(date.length === 10 ? `${date}T12:00Z` : date);
  const label = withOrdinalFirst((interval === "month" ? monthFormat : dayFormat).format(moment));
  return interval === "week" ? `sem. du ${label}` : label;
}
