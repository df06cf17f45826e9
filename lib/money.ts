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
 * Integer cents of an amount in euros; null for more than two decimals, for anything that is not a number,
 * and for amounts beyond what integers hold exactly. A text may use a comma ("42,90"). Reads the digits
 * instead of multiplying, because 1.15 * 100 is 114.99999999999999.
 */
export function centsFromEuros(euros: number | string): number | null {
  const match = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(String(euros).trim());
  if (!match) return null;
  const [, sign, whole = "", decimals = ""] = match;
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (!Number.isSafeInteger(cents)) return null;
  return sign && cents !== 0 ? -cents : cents;
}

/** Integer cents of an amount from JSON. More than two decimals, which the shop never sends, are rounded. */
export function centsOfAmount(euros: number): number {
  return centsFromEuros(euros) ?? Math.round(euros * 100);
}

/** "42,90 €" for an amount from JSON. */
export const formatAmount = (euros: number): string => formatEuros(centsOfAmount(euros));

/** The largest amount that the database holds, in cents. */
export const MAX_CENTS = LARGEST_INT;

/**
 * Integer cents of a price in a URL (`12`, `12.5`, `12,50`); null if it is no price. Further decimals are
 * cut off, and larger prices become `MAX_CENTS`.
 */
export function centsOfQuery(text: string): number | null {
  const match = /^(\d{1,15})(?:[.,](\d{1,2})\d*)?$/.exec(text.trim());
  if (!match) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return Math.min(cents, MAX_CENTS);
}
