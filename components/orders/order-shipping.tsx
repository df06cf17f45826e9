import { ShippingPrice } from "@/components/checkout/shipping-choice";
import { Price } from "@/components/ui/price";
import { centsOfAmount } from "@/lib/money";
import type { OrderJson } from "@/lib/orders/client";
import { shippingLineName } from "@/lib/shipping-methods/rules";

/** The shipping method of an order and its price; nothing for an order without a method. */
export function OrderShipping({
  order: { shippingMethod, shippingTotal },
}: {
  order: Pick<OrderJson, "shippingMethod" | "shippingTotal">;
}) {
  if (shippingMethod === null) return null;
  return (
    <p className="flex items-baseline justify-between gap-4">
      <span className="[overflow-wrap:anywhere]">{shippingLineName(shippingMethod)}</span>
      <ShippingPrice cents={centsOfAmount(shippingTotal)} />
    </p>
  );
}

/** The amount paid. */
export function OrderTotal({
  order: { total, vatIncluded },
}: {
  order: Pick<OrderJson, "total" | "vatIncluded">;
}) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="font-semibold text-lg">Total</span>
      {vatIncluded && <span className="text-muted text-sm">TVA comprise</span>}
      <Price euros={total} className="ml-auto font-semibold text-heading" />
    </p>
  );
}
