import { ShippingPrice } from "@/components/checkout/shipping-choice";
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
