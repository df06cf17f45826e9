"use client";

import clsx from "clsx";
import { useEffect, useRef } from "react";
import { AddToCartMessage } from "@/components/product-page/add-to-cart-message";
import { useAddToCart } from "@/components/product-page/use-add-to-cart";
import { BusyButton } from "@/components/ui/busy-button";
import { buttonClass } from "@/components/ui/button";
import { BagIcon } from "@/components/ui/icons";
import { QuantityInput } from "@/components/ui/quantity-input";
import { Spinner } from "@/components/ui/spinner";
import { MAX_QUANTITY } from "@/lib/cart/limits";

interface AddToCartProps {
  id: number;
  name: string;
  image: string | null;
  /** The number of pieces left, if few or none are; otherwise null. */
  left: number | null;
  /** The id of the button, for a bar that repeats it elsewhere on the page: a click on it adds the product. */
  buttonId?: string;
}

/** A quantity, the button that adds it to the cart, and the outcome. */
export function AddToCart({ id, name, image, left, buttonId }: AddToCartProps) {
  const button = useRef<HTMLButtonElement>(null);
  const max = Math.max(1, Math.min(left ?? MAX_QUANTITY, MAX_QUANTITY));
  const { quantity, setQuantity, isAdding, result, Panel, add, stay, cancelRedirect } =
    useAddToCart({ id, name, max });
  const isSoldOut = left === 0;
  const isBlocked = result?.kind === "added" || isSoldOut;

  // The pressed button 'Rester sur cette page' has disappeared.
  useEffect(() => {
    if (result?.kind === "stayed") button.current?.focus({ preventScroll: true });
  }, [result]);

  return (
    <div className="flex w-full flex-col gap-4 print:hidden">
      <div className="flex flex-wrap items-center gap-3">
        {!isSoldOut && (
          <QuantityInput
            label="Quantité"
            size="lg"
            value={quantity}
            max={max}
            onChange={setQuantity}
            disabled={isAdding || isBlocked}
          />
        )}
        <BusyButton
          ref={button}
          id={buttonId}
          type="button"
          busy={isAdding}
          disabled={isBlocked}
          onClick={add}
          className={clsx(
            buttonClass({ size: "lg", variant: isSoldOut ? "secondary" : "primary" }),
            "max-w-full flex-1 whitespace-nowrap px-3!",
            "disabled:aria-busy:bg-accent disabled:aria-busy:text-on-accent",
            isSoldOut && "disabled:border-line-strong! disabled:bg-bg!",
          )}
        >
          {/* The browser may paint before the whole document has arrived: an icon without the words would be
              centered in the button, and move when the words arrive. */}
          <span className="relative sm:pl-7">
            Ajouter au panier
            <span className="absolute inset-y-0 left-0 flex items-center max-sm:-left-6">
              {isAdding ? <Spinner size={18} /> : <BagIcon className="max-sm:hidden" />}
            </span>
          </span>
        </BusyButton>
      </div>
      <p className="hidden text-muted text-sm noscript:block">
        L’ajout au panier a besoin de JavaScript.
      </p>
      <AddToCartMessage
        result={result}
        Panel={Panel}
        image={image}
        onStay={stay}
        onPay={cancelRedirect}
      />
    </div>
  );
}
