import { Button } from "@/components/ui/button";
import { centsFromEuros, centsOfAmount, eurosFromCents, formatEuros } from "@/lib/money";
import type { InputProps } from "./crud-field";
import { type ItemValues, sumCents } from "./item-fields";
import type { OrderRow } from "./ship-dialog";

interface OrderSumProps {
  items: readonly ItemValues[];
  total: Pick<InputProps<string, OrderRow>, "value" | "onChange" | "row">;
}

/** What the items cost, with the shipping, where the total says something else. */
export function OrderSum({ items, total: { value, onChange, row } }: OrderSumProps) {
  const goods = sumCents(items);
  if (goods === null) return null;
  const sum = goods + centsOfAmount(row?.shippingTotal ?? 0);
  const total = centsFromEuros(value);
  if (sum === total) return null;
  const isPaid = row?.isRefundable;
  const kept = (total ?? 0) - centsOfAmount(row?.refundedTotal ?? 0);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p aria-live="polite">
        {row?.shippingMethod ? "Articles et livraison" : "Articles"}
        {"\u00a0: "}
        <strong className="tabular-nums">{formatEuros(sum)}</strong>
        {isPaid && kept > sum && (
          <span className="block text-muted">
            {formatEuros(kept - sum)} payés en trop se rendent par «{"\u00a0"}Rembourser{"\u00a0"}».
          </span>
        )}
      </p>
      {!isPaid && (
        <Button variant="secondary" size="sm" onClick={() => onChange(String(eurosFromCents(sum)))}>
          Reprendre comme total
        </Button>
      )}
    </div>
  );
}
