import clsx from "clsx";
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { PriceChange } from "@/components/cart/price-change";
import { ProductImage } from "@/components/catalogue/product-image";
import { Button } from "@/components/ui/button";
import { ChevronDownIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import {
  type CartItemJson,
  itemPriceCents,
  itemTotals,
  offerPriceCents,
  type ShippingOfferJson,
} from "@/lib/cart/rules";
import { articlesText } from "@/lib/cart/texts";
import { formatNumber } from "@/lib/numbers";
import { shippingLineName } from "@/lib/shipping-methods/rules";
import { ShippingPrice } from "./shipping-choice";

interface CheckoutSummaryProps {
  items: readonly CartItemJson[];
  /** The chosen method; null if there is none to choose. */
  method: ShippingOfferJson | null;
  /** Is there VAT in the total? */
  hasVat: boolean;
}

/** Beside the steps; on small windows a bar above them, which unfolds. */
export function CheckoutSummary({ items, method, hasVat }: CheckoutSummaryProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const id = useId();
  const { pieces, totalCents } = itemTotals(items);
  const shippingCents = method ? offerPriceCents(method) : 0;
  const total = totalCents + shippingCents;
  return (
    <section
      aria-label="Récapitulatif"
      className="rounded-lg max-lg:bg-surface lg:border lg:border-line lg:p-6"
    >
      <h2 className="lg:hidden print:hidden">
        <button
          type="button"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
          className="flex min-h-14 w-full flex-wrap items-center gap-x-1.5 rounded-lg px-3 py-2 text-left"
        >
          <span className="font-semibold">Votre commande</span>
          <span className="text-muted text-sm">{articlesText(pieces)}</span>
          <ChevronDownIcon
            size={18}
            className={clsx("shrink-0 text-muted", isUnfolded && "rotate-180")}
          />
          <Price cents={total} className="ml-auto font-semibold" />
        </button>
      </h2>
      <h2 className="hidden items-baseline justify-between gap-4 text-heading lg:flex">
        Votre commande
        <span className="font-normal text-muted text-sm">{articlesText(pieces)}</span>
      </h2>
      <div
        id={id}
        className={clsx("max-lg:px-4 max-lg:pb-4", !isUnfolded && "max-lg:not-print:hidden")}
      >
        <Items items={items} />
        {method && (
          <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4 text-sm">
            <span className="[overflow-wrap:anywhere]">{shippingLineName(method.name)}</span>
            <ShippingPrice cents={shippingCents} />
          </p>
        )}
        <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4">
          <span className="font-semibold text-lg">Total</span>
          <Price cents={total} className="font-semibold text-heading" />
        </p>
        {hasVat && <p className="text-right text-muted text-sm">TVA comprise</p>}
      </div>
    </section>
  );
}

/** Lines shown at first. */
const SHOWN = 6;

function Items({ items }: Pick<CheckoutSummaryProps, "items">) {
  const [areAllShown, setAllShown] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const rest = areAllShown ? 0 : Math.max(0, items.length - SHOWN);

  function showAll() {
    flushSync(() => setAllShown(true));
    // The pressed button is gone.
    (list.current?.children[SHOWN] as HTMLElement | undefined)?.focus({ preventScroll: true });
  }

  return (
    <>
      <ul ref={list} className="mt-4 flex flex-col gap-4">
        {items.slice(0, items.length - rest).map((item) => (
          <li key={item.id} tabIndex={-1} className="flex gap-4 focus-visible:outline-none">
            <div className="relative size-14 shrink-0">
              <div className="size-full overflow-hidden rounded-md bg-surface max-lg:bg-bg">
                <ProductImage image={item.product.image} use="thumbnail" />
              </div>
              <span
                aria-hidden="true"
                className="absolute -top-2 -right-2 grid h-5.5 min-w-5.5 place-items-center rounded-full bg-ink px-1.5 text-bg text-xs tabular-nums"
              >
                {formatNumber(item.quantity)}
              </span>
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
      {rest > 0 && (
        <Button variant="ghost" size="sm" className="mt-2 -ml-3.5" onClick={showAll}>
          {`+ ${articlesText(rest)}`}
        </Button>
      )}
    </>
  );
}
