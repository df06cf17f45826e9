import { type CartItemJson, type CartShippingJson, freeShippingShare } from "@/lib/cart/rules";
import { formatAmount } from "@/lib/money";
import { untilFree } from "@/lib/shipping-methods/texts";

interface FreeShippingProps {
  items: readonly CartItemJson[];
  shipping: CartShippingJson;
}

/** How much is missing until shipping is free, in words and as a bar; nothing if nothing is missing. */
export function FreeShipping({ items, shipping: { missingToFree } }: FreeShippingProps) {
  if (missingToFree === null) return null;
  const percent = 100 * freeShippingShare({ items, missingToFree });
  return (
    <div className="text-sm">
      <p className="text-muted">{untilFree(formatAmount(missingToFree))}</p>
      <div
        aria-hidden="true"
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-surface-strong forced-colors:border"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-200 forced-colors:bg-[Highlight]"
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
