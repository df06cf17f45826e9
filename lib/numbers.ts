const format = new Intl.NumberFormat("fr-FR");

/** "1 234,5" with a narrow no-break space between thousands, "−3". */
export const formatNumber = (value: number): string => format.format(value).replace("-", "−");

/** The largest whole number that a column of the database holds. */
export const LARGEST_INT = 2_147_483_647;

/** With signs between thousands, and perhaps a decimal one: "1.250,5" and "1,250.5", "1.250.000". */
const GROUPED = [
  /^([+-]?\d{1,3}(?:\.\d{3})+),(\d*)$/,
  /^([+-]?\d{1,3}(?:,\d{3})+)\.(\d*)$/,
  /^([+-]?\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,}))$/,
];

/**
 * A number as people write or copy it, as number fields take it: "1 250,50 €" → "1250.50". A part of one, as it is typed,
 * stays a part: "," → ".". Null where it is none.
 */
export function typedNumber(text: string): string | null {
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
 * The whole number in a number field; NaN where it holds something else: the field takes "1.000" for 1, and who typed
 * it may have meant a thousand.
 */
export const wholeNumber = (text: string): number =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN;
