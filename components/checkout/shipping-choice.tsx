import { Alert } from "@/components/ui/alert";
import { Price } from "@/components/ui/price";
import { type CartShippingJson, offerPriceCents } from "@/lib/cart/rules";
import { goesTo } from "@/lib/shipping-methods/rules";
import { LOCAL_TAXES, notServed, TOO_HEAVY } from "@/lib/shipping-methods/texts";
import { arrivalText } from "@/lib/shop/arrival";
import { isOverseas } from "@/lib/shop/postal-zones";

interface ShippingChoiceProps {
  /** The cart's shipping, with the methods that go to the address. */
  shipping: CartShippingJson;
  /** The shipping address; undefined while none is chosen. */
  address: { postalCode: string } | undefined;
  chosenId: number | undefined;
  onChoose: (id: number) => void;
}

/** The shipping methods that the cart can be sent by, cheapest first. */
export function ShippingChoice({ shipping, address, chosenId, onChoose }: ShippingChoiceProps) {
  if (address && !goesTo(shipping.served, address.postalCode))
    return <Alert kind="warning">{notServed(address.postalCode)}</Alert>;
  if (shipping.methods.length === 0) return <Alert kind="warning">{TOO_HEAVY}</Alert>;
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold text-lg">Mode de livraison</legend>
      <div className="mt-3 divide-y divide-line overflow-hidden rounded-lg border border-line">
        {shipping.methods.map((method) => (
          <label
            key={method.id}
            className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-3 has-checked:bg-accent-soft hover:bg-surface"
          >
            <input
              type="radio"
              name="shippingMethod"
              value={method.id}
              checked={method.id === chosenId}
              onChange={() => onChoose(method.id)}
              className="size-5 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <span className="block font-medium">{method.name}</span>
              <Delay delay={method.delay} />
            </span>
            <ShippingPrice cents={offerPriceCents(method)} />
          </label>
        ))}
      </div>
      {address && isOverseas(address.postalCode) && (
        <p className="mt-3 text-muted text-sm">{LOCAL_TAXES}</p>
      )}
    </fieldset>
  );
}

/** The days of the arrival for an order of today, and the delay in the shop's words. */
function Delay({ delay }: { delay: string }) {
  if (delay === "") return null;
  const arrival = arrivalText({ delay, from: new Date() });
  return (
    <span className="block text-muted text-sm">
      {arrival && <span className="text-ink">{arrival}</span>}
      <span>{arrival ? ` · ${delay}` : delay}</span>
    </span>
  );
}

/** "4,90 €", or "Offerte". */
export function ShippingPrice({ cents }: { cents: number }) {
  return cents === 0 ? (
    <span className="whitespace-nowrap font-medium text-success">Offerte</span>
  ) : (
    <Price cents={cents} className="font-medium" />
  );
}
