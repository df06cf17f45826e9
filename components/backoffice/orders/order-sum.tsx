import { useRef } from "react";
import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { type ItemValues, sumCents } from "@/components/backoffice/shared/item-fields";
import type { OrderRow } from "@/components/backoffice/shipments/ship-dialog";
import { Button } from "@/components/ui/button";
import { centsFromEuros, centsOfAmount, eurosFromCents, formatEuros } from "@/lib/money";

interface OrderSumProps {
  items: readonly ItemValues[];
  total: Pick<InputProps<string, OrderRow>, "value" | "onChange" | "row">;
}

/** The price of the items with the shipping, and a button that makes it the total if the total differs. */
export function OrderSum({ items, total: { value, onChange, row } }: OrderSumProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const goods = sumCents(items, row?.orderItems);
  const sum = goods === null ? null : goods + centsOfAmount(row?.shippingTotal ?? 0);
  const total = centsFromEuros(value);
  const isOther = sum !== null && sum !== total;
  const surplus = isOther ? (total ?? 0) - centsOfAmount(row?.refundedTotal ?? 0) - sum : 0;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p ref={text} tabIndex={-1} aria-live="polite">
        {sum !== null && (
          <span>
            <span>{`${row?.shippingMethod ? "Articles et livraison" : "Articles"}\u00a0: `}</span>
            <strong className="tabular-nums">{formatEuros(sum)}</strong>
          </span>
        )}
        {row?.isRefundable && surplus > 0 && (
          <span className="block text-muted">
            {`Trop-perçu, à rendre par «\u00a0Rembourser\u00a0»\u00a0: ${formatEuros(surplus)}`}
          </span>
        )}
      </p>
      {isOther && !row?.isRefundable && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => {
            onChange(String(eurosFromCents(sum)));
            // The focused button disappears.
            text.current?.focus();
          }}
        >
          Reprendre comme total
        </Button>
      )}
    </div>
  );
}
