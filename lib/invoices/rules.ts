import type { InvoiceLine, InvoiceSnapshot, VatAmounts } from "@/db/schema/invoices";
import { inProportion } from "@/lib/shipping-methods/rules";
import { DEFAULT_VAT_RATE } from "@/lib/shop/vat-rates";

/** The fields of a line from which amounts are computed. */
interface PricedLine {
  quantity: number;
  /** VAT included. */
  unitPriceCents: number;
  /** Basis points: 2000 is 20 %. */
  vatRateBp: number;
}

export const lineTotalCents = ({ quantity, unitPriceCents }: PricedLine) =>
  quantity * unitPriceCents;

/** Cents of all lines. */
export const sumOfLines = (lines: readonly PricedLine[]) =>
  lines.reduce((sum, line) => sum + lineTotalCents(line), 0);

/**
 * The VAT included in the prices, per rate, highest rate first. Rounded once per rate, not per line: the paid
 * amount is exact, and the rounding is at most half a cent per rate.
 */
export function vatByRate(lines: readonly PricedLine[]): VatAmounts[] {
  const grossByRate = new Map<number, number>();
  for (const line of lines) {
    const gross = (grossByRate.get(line.vatRateBp) ?? 0) + lineTotalCents(line);
    grossByRate.set(line.vatRateBp, gross);
  }
  return [...grossByRate]
    .sort(([a], [b]) => b - a)
    .map(([vatRateBp, grossCents]) => {
      const netCents = netOf({ grossCents, vatRateBp });
      return { vatRateBp, netCents, vatCents: grossCents - netCents, grossCents };
    });
}

/** The VAT of an invoice or a credit note, per rate. */
export const vatOf = ({ lines, vat }: Pick<InvoiceSnapshot, "lines" | "vat">): VatAmounts[] =>
  vat ?? vatByRate(lines);

/** The date of a version of an invoice: a corrected version has its own date, not the invoice's. */
export const versionDate = ({
  issuedAt,
  snapshot: { correction },
}: {
  issuedAt: Date;
  snapshot: Pick<InvoiceSnapshot, "correction">;
}): Date => (correction ? new Date(correction.date) : issuedAt);

export function vatTotals(amounts: readonly VatAmounts[]) {
  let netCents = 0;
  let vatCents = 0;
  let grossCents = 0;
  for (const amount of amounts) {
    netCents += amount.netCents;
    vatCents += amount.vatCents;
    grossCents += amount.grossCents;
  }
  return { netCents, vatCents, grossCents };
}

export const unitNetCents = ({ unitPriceCents, vatRateBp }: PricedLine) =>
  netOf({ grossCents: unitPriceCents, vatRateBp });

/** An amount without VAT, half a cent rounded away from zero; computed in whole numbers. */
export function netOf({
  grossCents,
  vatRateBp,
}: {
  grossCents: number;
  vatRateBp: number;
}): number {
  // BigInt division truncates towards zero, so negative amounts are computed from their absolute value.
  if (grossCents < 0) return -netOf({ grossCents: -grossCents, vatRateBp });
  const divisor = BigInt(10_000 + vatRateBp);
  const net = (BigInt(grossCents) * 20_000n + divisor) / (2n * divisor);
  return Number(net);
}

const percentFormat = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 });

/** "20 %", "5,5 %", with a no-break space. */
export function formatRate(vatRateBp: number): string {
  return `${percentFormat.format(vatRateBp / 100)}\u00a0%`;
}

/** The name of the only line of an invoice without an order. */
const BILLED = "Montant facturé";
/** The name of a line that adjusts the sum of the lines to the typed total. */
const ADJUSTMENT = "Ajustement";

/**
 * The lines of an invoice whose total was typed by hand. The lines must add up to the total, or else the PDF
 * would contradict itself. The typed total does not say which line the difference belongs to, so it is split
 * over the VAT rates, in proportion to the amount billed at each rate, in lines that add up to the cent.
 */
export function linesWithTotal({
  lines,
  totalCents,
  vatRateBp = DEFAULT_VAT_RATE,
}: {
  lines: readonly InvoiceLine[];
  totalCents: number;
  /** The rate for an invoice without lines. */
  vatRateBp?: number;
}): InvoiceLine[] {
  const own = lines.filter(({ kind }) => kind !== "adjustment");
  if (own.length === 0) return [adjustment(BILLED, lines[0]?.vatRateBp ?? vatRateBp, totalCents)];
  const difference = totalCents - sumOfLines(own);
  const values = vatByRate(own).map(({ vatRateBp, grossCents }) => ({
    vatRateBp,
    cents: grossCents,
  }));
  const parts = inProportion({ cents: Math.abs(difference), values });
  return [
    ...own,
    ...values.flatMap(({ vatRateBp }, index) =>
      parts[index] ? [adjustment(ADJUSTMENT, vatRateBp, Math.sign(difference) * parts[index])] : [],
    ),
  ];
}

/** A line of a single amount that is not a sold product. */
export const adjustment = (name: string, vatRateBp: number, cents: number): InvoiceLine => ({
  kind: "adjustment",
  name,
  quantity: 1,
  unitPriceCents: cents,
  vatRateBp,
});
