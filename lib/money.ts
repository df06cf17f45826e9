import { LARGEST_INT } from "@/lib/numbers";

// Money is integer cents in the database and in arithmetic. Euros exist only in JSON and on screen.

const euroFormat = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** "42,90 €" with a no-break space before the sign, "1 234,50 €" with narrow ones in thousands, "−5,00 €". */
export function formatEuros(cents: number): string {
  // Intl writes a hyphen.
  return euroFormat.format(cents / 100).replace("-", "−");
}

/** The number of euros that JSON carries: 4290 → 42.9. */
export function eurosFromCents(cents: number): number {
  return cents / 100;
}

/**
 * Integer cents of an amount in euros, or null where it is not an amount: more than two decimals,
 * not a number, or beyond what integers hold exactly. A text may use a comma ("42,90").
 * Reads the digits instead of multiplying, because 1.15 * 100 is 114.99999999999999.
 */
export function centsFromEuros(euros: number | string): number | null {
  const match = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(String(euros).trim());
  if (!match) return null;
  const [, sign, whole = "", decimals = ""] = match;
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (!Number.isSafeInteger(cents)) return null;
  return sign && cents !== 0 ? -cents : cents;
}

/** Integer cents of an amount as JSON carries it; further decimals, which the shop sends none of, are rounded. */
export function centsOfAmount(euros: number): number {
  return centsFromEuros(euros) ?? Math.round(euros * 100);
}

/** "42,90 €" of an amount as JSON carries it. */
export const formatAmount = (euros: number): string => formatEuros(centsOfAmount(euros));

/** The largest amount that the database holds, in cents. */
export const MAX_CENTS = LARGEST_INT;

/**
 * Integer cents of a price in an address (`12`, `12.5`, `12,50`), or null where it is none. Further
 * decimals are cut, and more than a price can be is the most.
 */
export function centsOfQuery(text: string): number | null {
  const match = /^(\d{1,15})(?:[.,](\d{1,2})\d*)?$/.exec(text.trim());
  if (!match) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return Math.min(cents, MAX_CENTS);
}
