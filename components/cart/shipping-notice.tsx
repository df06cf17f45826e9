import { Alert } from "@/components/ui/alert";
import { type CartShippingJson, offerPriceCents } from "@/lib/cart/rules";
import { formatAmount, formatEuros } from "@/lib/money";
import { FREE, startingFrom, TOO_HEAVY, untilFree } from "@/lib/shipping-methods/texts";

/** The lowest shipping costs, and the amount that is missing until shipping is free. */
export function ShippingNotice({
  shipping: { methods, missingToFree },
}: {
  shipping: CartShippingJson;
}) {
  const [cheapest] = methods;
  if (!cheapest)
    return (
      <Alert kind="warning" className="mt-4">
        {TOO_HEAVY}
      </Alert>
    );
  const cents = offerPriceCents(cheapest);
  return (
    <div className="mt-4 border-line border-t pt-3 text-sm">
      <p className="font-medium">{cents === 0 ? FREE : startingFrom(formatEuros(cents))}</p>
      {missingToFree !== null && (
        <p className="text-muted">{untilFree(formatAmount(missingToFree))}</p>
      )}
    </div>
  );
}
