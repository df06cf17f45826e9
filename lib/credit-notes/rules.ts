import type { InvoiceLine, VatAmounts } from "@/db/schema/invoices";
import { adjustment, netOf, vatByRate, vatTotals } from "@/lib/invoices/rules";
import { inProportion, type RateValue } from "@/lib/shipping/rules";
import { DEFAULT_VAT_RATE } from "@/lib/vat-rates";

/** What a credit note gives back without naming a line of the invoice. */
export interface Rest {
  /** Less than 0 for a deduction from the lines that it names. */
  cents: number;
  /** "Geste commercial" */
  name: string;
}

/** What moves VAT from a rate that has nothing left to the others. */
const ADJUSTMENT = "Ajustement de TVA";

/**
 * The lines of a credit note. An amount that names no line is split over the VAT rates in proportion to
 * what is left of the invoice, so that no rate ever gets back more than was invoiced; where lines would
 * take more than their rate has left, because of such an amount given before, the others bear it. Only
 * what exceeds the whole invoice is split in proportion to the invoice. A deduction is split over the rates
 * of the pieces that are given back, in proportion to their price; shipping goes back as it was paid.
 *
 * @param lines what is given back of the invoice's lines
 * @param credited the lines of the invoice's earlier credit notes
 */
export function creditLines({
  lines,
  rest,
  invoiced,
  credited,
}: {
  lines: readonly InvoiceLine[];
  rest: Rest;
  invoiced: readonly InvoiceLine[];
  credited: readonly InvoiceLine[];
}): InvoiceLine[] {
  if (rest.cents < 0) {
    const pieces = lines.filter(({ kind }) => kind !== "shipping");
    const deducted = split({ ...rest, cents: -rest.cents }, sumByRate(pieces)).map(negated);
    const nothing = { ...rest, cents: 0 };
    return creditLines({ lines: [...lines, ...deducted], rest: nothing, invoiced, credited });
  }
  const left = sumByRate([...invoiced, ...[...credited, ...lines].map(negated)]);
  const open = left.filter(({ cents }) => cents > 0);
  const exceeded = left.filter(({ cents }) => cents < 0);
  const moved = -sumOf(exceeded);
  if (rest.cents + moved <= sumOf(open))
    return [
      ...lines,
      ...split(rest, open),
      ...exceeded.map(({ vatRateBp, cents }) => adjustment(ADJUSTMENT, vatRateBp, cents)),
      ...split({ name: ADJUSTMENT, cents: moved }, takeFrom(open, rest.cents)),
    ];
  return [...lines, ...split(rest, sumByRate(invoiced))];
}

/**
 * The VAT of a credit note, per rate: rounded together with what was given back before. Credit notes that were
 * each rounded by themselves would not add up to their invoice.
 *
 * @param earlier of all earlier credit notes of the invoice
 */
export const creditedVat = ({
  lines,
  earlier,
}: {
  lines: readonly InvoiceLine[];
  earlier: readonly VatAmounts[];
}): VatAmounts[] =>
  vatByRate(lines).map(({ vatRateBp, grossCents }) => {
    const before = vatTotals(earlier.filter((each) => each.vatRateBp === vatRateBp));
    const allNetCents = netOf({ grossCents: before.grossCents + grossCents, vatRateBp });
    const netCents = allNetCents - before.netCents;
    return { vatRateBp, netCents, vatCents: grossCents - netCents, grossCents };
  });

/** Cents per VAT rate, highest rate first. */
const sumByRate = (lines: readonly InvoiceLine[]): RateValue[] =>
  vatByRate(lines).map(({ vatRateBp, grossCents }) => ({ vatRateBp, cents: grossCents }));

const negated = (line: InvoiceLine) => ({ ...line, unitPriceCents: -line.unitPriceCents });

/** What is left of the rates after an amount was split over them. */
function takeFrom(rates: readonly RateValue[], cents: number): RateValue[] {
  const parts = inProportion({ cents, values: rates });
  return rates.map((rate, index) => ({ ...rate, cents: rate.cents - (parts[index] ?? 0) }));
}

function split({ name, cents }: Rest, rates: readonly RateValue[]): InvoiceLine[] {
  if (cents === 0) return [];
  if (rates.length === 0) return [adjustment(name, DEFAULT_VAT_RATE, cents)];
  const parts = inProportion({ cents, values: rates });
  return rates.flatMap(({ vatRateBp }, index) =>
    parts[index] ? [adjustment(name, vatRateBp, parts[index])] : [],
  );
}

const sumOf = (rates: readonly RateValue[]) => rates.reduce((sum, { cents }) => sum + cents, 0);
