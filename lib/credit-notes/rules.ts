import type { InvoiceLine, VatAmounts } from "@/db/schema/invoices";
import { adjustment, netOf, vatByRate, vatTotals } from "@/lib/invoices/rules";
import { inProportion, type RateValue } from "@/lib/shipping-methods/rules";
import { DEFAULT_VAT_RATE } from "@/lib/shop/vat-rates";

/** The amount that a credit note refunds without naming a line of the invoice. */
export interface UnassignedAmount {
  /** Negative for a deduction from the credit note's lines. */
  cents: number;
  /** "Geste commercial" */
  name: string;
}

/** The name of the lines that move VAT from an exhausted rate to the other rates. */
const ADJUSTMENT = "Ajustement de TVA";

/**
 * The lines of a credit note.
 *
 * An amount without a line is split over the VAT rates in proportion to what is left of the invoice, so that
 * no rate is credited with more than was invoiced. After such an amount, lines may need more than their rate
 * has left: the other rates bear the excess. Only where the whole invoice is exceeded, the amount is split in
 * proportion to the invoice. A deduction is split over the rates of the refunded pieces, in proportion to
 * their price; shipping is refunded as it was paid.
 *
 * @param lines the refunded parts of the invoice's lines
 * @param credited the lines of the invoice's earlier credit notes
 */
export function creditLines({
  lines,
  unassigned,
  invoiced,
  credited,
}: {
  lines: readonly InvoiceLine[];
  unassigned: UnassignedAmount;
  invoiced: readonly InvoiceLine[];
  credited: readonly InvoiceLine[];
}): InvoiceLine[] {
  if (unassigned.cents < 0) {
    const pieces = lines.filter(({ kind }) => kind !== "shipping");
    const deducted = split({ ...unassigned, cents: -unassigned.cents }, sumByRate(pieces)).map(
      negated,
    );
    const nothing = { ...unassigned, cents: 0 };
    return creditLines({ lines: [...lines, ...deducted], unassigned: nothing, invoiced, credited });
  }
  const left = sumByRate([...invoiced, ...[...credited, ...lines].map(negated)]);
  const open = left.filter(({ cents }) => cents > 0);
  const exceeded = left.filter(({ cents }) => cents < 0);
  const moved = -sumOf(exceeded);
  if (unassigned.cents + moved <= sumOf(open))
    return [
      ...lines,
      ...split(unassigned, open),
      ...exceeded.map(({ vatRateBp, cents }) => adjustment(ADJUSTMENT, vatRateBp, cents)),
      ...split({ name: ADJUSTMENT, cents: moved }, takeFrom(open, unassigned.cents)),
    ];
  return [...lines, ...split(unassigned, sumByRate(invoiced))];
}

/**
 * The VAT of a credit note, per rate, rounded together with the amounts credited earlier: credit notes
 * rounded one by one would not add up to their invoice.
 *
 * @param earlier the VAT amounts of all earlier credit notes of the invoice
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

/** What is left of each rate after an amount was split over the rates. */
function takeFrom(rates: readonly RateValue[], cents: number): RateValue[] {
  const parts = inProportion({ cents, values: rates });
  return rates.map((rate, index) => ({ ...rate, cents: rate.cents - (parts[index] ?? 0) }));
}

function split({ name, cents }: UnassignedAmount, rates: readonly RateValue[]): InvoiceLine[] {
  if (cents === 0) return [];
  if (rates.length === 0) return [adjustment(name, DEFAULT_VAT_RATE, cents)];
  const parts = inProportion({ cents, values: rates });
  return rates.flatMap(({ vatRateBp }, index) =>
    parts[index] ? [adjustment(name, vatRateBp, parts[index])] : [],
  );
}

const sumOf = (rates: readonly RateValue[]) => rates.reduce((sum, { cents }) => sum + cents, 0);
