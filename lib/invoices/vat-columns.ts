import type { VatAmounts } from "@/db/schema/invoices";
import type { CsvColumn } from "@/lib/http/api/csv";
import { eurosFromCents } from "@/lib/money";
import { PLACE_RATES } from "@/lib/vat-of-place";
import { VAT_RATES } from "@/lib/vat-rates";
import { formatRate, vatTotals } from "./rules";

/** A row of a table of documents, with the result of `vatOf`. */
export interface WithVat {
  vatAmounts: readonly VatAmounts[];
}

/** The rates of the mainland, and of other places: 8.5 and 1.05 %. */
const FRENCH_RATES = [...new Set([...VAT_RATES.values(), ...PLACE_RATES])];

/** Net and VAT columns of some rates; a cell is empty where the document has no line of these rates. */
function pairOf(
  rates: string,
  hasRate: (amounts: VatAmounts) => boolean,
): readonly CsvColumn<WithVat>[] {
  const sumOf = (amounts: readonly VatAmounts[], part: "netCents" | "vatCents") => {
    const found = amounts.filter(hasRate);
    return found.length === 0 ? null : eurosFromCents(vatTotals(found)[part]);
  };
  return [
    { head: `HT ${rates} (€)`, value: ({ vatAmounts }) => sumOf(vatAmounts, "netCents") },
    { head: `TVA ${rates} (€)`, value: ({ vatAmounts }) => sumOf(vatAmounts, "vatCents") },
  ];
}

/**
 * Net amount and VAT for each French rate, and for all other rates together: the cells of a row add up to the
 * document's total.
 */
export const vatColumns: readonly CsvColumn<WithVat>[] = [
  ...FRENCH_RATES.flatMap((rate) =>
    pairOf(formatRate(rate), ({ vatRateBp }) => vatRateBp === rate),
  ),
  ...pairOf("autres taux", ({ vatRateBp }) => !FRENCH_RATES.includes(vatRateBp)),
];
