import type { InvoiceSnapshot } from "@/db/schema/invoices";
import { lineTotalCents } from "./rules";

type Lines = InvoiceSnapshot["lines"];

const DEFAULT_VAT_RATE = 2000;
/** What an invoice without an order bills. */
const BILLED = "Montant facturé";
/** What makes the lines add up to another total than theirs. */
const ADJUSTMENT = "Ajustement";

/**
 * The lines of an invoice whose total was typed by hand: they must add up to it, or else the PDF
 * would contradict itself. A difference gets a line of its own, at the rate of the largest line.
 */
export function linesWithTotal({ lines, totalCents }: { lines: Lines; totalCents: number }): Lines {
  const own = lines.filter(({ name }) => name !== ADJUSTMENT && name !== BILLED);
  const difference = totalCents - own.reduce((sum, line) => sum + lineTotalCents(line), 0);
  if (difference === 0 && own.length > 0) return own;
  const largest = own.toSorted((a, b) => lineTotalCents(b) - lineTotalCents(a))[0];
  const line = {
    name: own.length === 0 ? BILLED : ADJUSTMENT,
    quantity: 1,
    unitPriceCents: difference,
    vatRateBp: largest?.vatRateBp ?? DEFAULT_VAT_RATE,
  };
  return [...own, line];
}
