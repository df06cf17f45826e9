import { FreeShipping } from "@/components/cart/free-shipping";
import { Alert } from "@/components/ui/alert";
import { Price } from "@/components/ui/price";
import {
  type CartItemJson,
  type CartShippingJson,
  itemTotals,
  offerPriceCents,
} from "@/lib/cart/rules";
import { formatNumber } from "@/lib/numbers";
import { FREE, STARTING_FROM, TOO_HEAVY } from "@/lib/shipping-methods/texts";

interface CartSumsProps {
  items: readonly CartItemJson[];
  /** Null if there is nothing to ship, or no method to choose: the sum of the items is the total. */
  shipping: CartShippingJson | null;
  isVatIncluded: boolean;
}

/** The sum of the items; and with shipping its lowest price, and the total with it. */
export function CartSums({ items, shipping, isVatIncluded }: CartSumsProps) {
  const { pieces, totalCents } = itemTotals(items);
  const [cheapest] = shipping?.methods ?? [];
  return (
    <>
      {/* Each change of a quantity is read out with its sum. */}
      <div aria-live="polite" aria-atomic="true">
        <p className="flex items-baseline justify-between gap-4 text-muted">
          Articles <span className="tabular-nums">{formatNumber(pieces)}</span>
        </p>
        {cheapest ? (
          <p className="mt-2 flex items-baseline justify-between gap-4">
            <span>Sous-total</span> <Price cents={totalCents} />
          </p>
        ) : (
          <Total label="Total" cents={totalCents} />
        )}
      </div>
      {cheapest && (
        <>
          <ShippingFrom cents={offerPriceCents(cheapest)} />
          <Total label="Total estimé" cents={totalCents + offerPriceCents(cheapest)} />
        </>
      )}
      {isVatIncluded && <p className="text-right text-muted text-sm">TVA comprise</p>}
      {shipping && (
        <div className="mt-4 empty:hidden">
          {cheapest ? (
            <FreeShipping items={items} shipping={shipping} />
          ) : (
            <Alert kind="warning">{TOO_HEAVY}</Alert>
          )}
        </div>
      )}
    </>
  );
}

function Total({ label, cents }: { label: string; cents: number }) {
  return (
    <p className="mt-3 flex items-baseline justify-between gap-4 border-line border-t pt-3">
      <span className="font-semibold text-lg">{label}</span>{" "}
      <Price cents={cents} className="font-semibold text-heading" />
    </p>
  );
}

/** The lowest price of shipping: the checkout offers the methods. */
function ShippingFrom({ cents }: { cents: number }) {
  if (cents === 0) return <p className="mt-2 text-success">{FREE}</p>;
  return (
    <p className="mt-2 flex items-baseline justify-between gap-4">
      <span>{STARTING_FROM}</span> <Price cents={cents} />
    </p>
  );
}
