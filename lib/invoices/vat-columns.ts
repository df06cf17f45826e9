import type { VatAmounts } from "@/db/schema/invoices";
import type { CsvColumns } from "@/lib/backoffice/list";
import { eurosFromCents } from "@/lib/money";
import { PLACE_RATES } from "@/lib/shop/vat-of-place";
import { VAT_RATES } from "@/lib/shop/vat-rates";
import { formatRate, vatTotals } from "./rules";

/** A row of a table of documents, with the result of `vatOf`. */
export interface WithVat {
  vatAmounts: readonly VatAmounts[];
}

/** The rates of the mainland, and of other places: 8.5 and 1.05 %. */
const FRENCH_RATES = [...new Set([...VAT_RATES.values(), ...PLACE_RATES])];

/** Net and VAT columns of some rates; a cell is empty where the document has no line of these rates. */
function pairOf(rates: string, hasRate: (amounts: VatAmounts) => boolean): CsvColumns<WithVat> {
  const sumOf = (amounts: readonly VatAmounts[], part: "netCents" | "vatCents") => {
    const found = amounts.filter(hasRate);
    return found.length === 0 ? null : eurosFromCents(vatTotals(found)[part]);
  };
  return {
    [`HT ${rates} (€)`]: ({ vatAmounts }) => sumOf(vatAmounts, "netCents"),
    [`TVA ${rates} (€)`]: ({ vatAmounts }) => sumOf(vatAmounts, "vatCents"),
  };
}

/**
 * Net amount and VAT for each French rate, and for all other rates together: the cells of a row add up to the
 * document's total.
 */
export const vatColumns: CsvColumns<WithVat> = Object.assign(
  {},
  ...FRENCH_RATES.map((rate) => pairOf(formatRate(rate), ({ vatRateBp }) => vatRateBp === rate)),
  pairOf("autres taux", ({ vatRateBp }) => !FRENCH_RATES.includes(vatRateBp)),
);
