import { Price } from "@/components/ui/price";
import type { CartItemJson } from "@/lib/cart/rules";

/** Says that the price has changed since the product was added; nothing if it is the same. */
export function PriceChange({ previousPrice }: Pick<CartItemJson, "previousPrice">) {
  if (typeof previousPrice !== "number") return null;
  return (
    <p className="mt-1 text-sm text-warning">
      Le prix a changé depuis votre ajout&nbsp;: il était de <Price euros={previousPrice} />.
    </p>
  );
}
