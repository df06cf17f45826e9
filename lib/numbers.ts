const format = new Intl.NumberFormat("fr-FR");

/** "1 234,5" with a narrow no-break space between thousands, "−3". */
export const formatNumber = (value: number): string => format.format(value).replace("-", "−");

/** The largest whole number that a column of the database holds. */
export const LARGEST_INT = 2_147_483_647;

/** Numbers with thousands separators, and perhaps a decimal sign: "1.250,5" and "1,250.5", "1.250.000". */
const GROUPED = [
  /^([+-]?\d{1,3}(?:\.\d{3})+),(\d*)$/,
  /^([+-]?\d{1,3}(?:,\d{3})+)\.(\d*)$/,
  /^([+-]?\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,}))$/,
];

/**
 * Converts a number as people write or copy it to the form that number fields accept: "1 250,50 €" →
 * "1250.50". Partial input stays partial: "," → ".". Null for anything else.
 */
export function toNumberFieldValue(text: string): string | null {
  const compact = text
    .replace(/[\s'’]/g, "")
    .replace("−", "-")
    .replace(/^€|(?:€|EUR|%|k?g|[KM]o)$/, "");
  for (const grouped of GROUPED) {
    const [, whole, decimals] = grouped.exec(compact) ?? [];
    if (whole) return [whole.replace(/[.,]/g, ""), decimals].filter(Boolean).join(".");
  }
  return /^[+-]?\d*(?:[.,]\d*)?(?:e[+-]?\d+)?$/i.test(compact) ? compact.replace(",", ".") : null;
}

/**
 * The whole number in a number field, NaN for anything else. "1.000" is NaN: the field reads it as 1, but
 * the user may mean a thousand.
 */
export const wholeNumber = (text: string): number =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN;

/** Is the last digit the check digit of the others? Card numbers and SIRENs have one (Luhn's formula). */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
