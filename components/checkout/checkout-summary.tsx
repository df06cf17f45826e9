import { PriceChange } from "@/components/cart/price-change";
import { ProductImage } from "@/components/catalogue/product-image";
import { Price } from "@/components/ui/price";
import {
  type CartItemJson,
  itemPriceCents,
  itemTotals,
  offerPriceCents,
  type ShippingOfferJson,
} from "@/lib/cart/rules";
import { articlesText } from "@/lib/cart/texts";
import { shippingLineName } from "@/lib/shipping-methods/rules";
import { ShippingPrice } from "./shipping-choice";

interface CheckoutSummaryProps {
  items: readonly CartItemJson[];
  /** The chosen method; null if there is none to choose. */
  method: ShippingOfferJson | null;
  /** Is there VAT in the total? */
  hasVat: boolean;
}

export function CheckoutSummary({ items, method, hasVat }: CheckoutSummaryProps) {
  const { pieces, totalCents } = itemTotals(items);
  const shippingCents = method ? offerPriceCents(method) : 0;
  return (
    <section
      aria-label="Récapitulatif"
      className="rounded-xl bg-surface p-5 sm:p-6 lg:sticky lg:top-24"
    >
      <h2 className="flex items-baseline justify-between gap-4 text-heading">
        Votre commande
        <span className="font-normal text-muted text-sm">{articlesText(pieces)}</span>
      </h2>
      <ul className="scroll-shade mt-4 flex max-h-80 flex-col gap-4 overflow-y-auto print:max-h-none">
        {items.map((item) => (
          <li key={item.id} className="flex gap-3">
            <div className="size-14 shrink-0 overflow-hidden rounded-md bg-bg">
              <ProductImage image={item.product.image} use="thumbnail" />
            </div>
            <div className="min-w-0 flex-1 text-sm">
              <p className="line-clamp-2 font-medium">{item.product.name}</p>
              <p className="text-muted">
                <span>{`${item.quantity}\u00a0×\u00a0`}</span>
                <Price cents={itemPriceCents(item)} />
              </p>
              <PriceChange previousPrice={item.previousPrice} />
            </div>
            <Price cents={itemPriceCents(item) * item.quantity} className="font-medium text-sm" />
          </li>
        ))}
      </ul>
      {method && (
        <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4 text-sm">
          <span className="[overflow-wrap:anywhere]">{shippingLineName(method.name)}</span>
          <ShippingPrice cents={shippingCents} />
        </p>
      )}
      <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4">
        <span className="font-semibold text-lg">Total</span>
        <Price cents={totalCents + shippingCents} className="font-semibold text-heading" />
      </p>
      {hasVat && <p className="text-right text-muted text-sm">TVA comprise</p>}
    </section>
  );
}
