"use client";

import clsx from "clsx";
import { useId } from "react";
import { PriceChange } from "@/components/cart/price-change";
import { ProductImage } from "@/components/catalogue/product-image";
import { ProductName } from "@/components/catalogue/product-name";
import { Button } from "@/components/ui/button";
import { Price } from "@/components/ui/price";
import { QuantityInput } from "@/components/ui/quantity-input";
import { useCall } from "@/components/ui/use-call";
import { MAX_QUANTITY } from "@/lib/cart/limits";
import { type CartItemJson, isAvailable, isInStock, itemPriceCents } from "@/lib/cart/rules";
import { shortageText, UNAVAILABLE } from "@/lib/cart/texts";

type CartRowProps = {
  item: CartItemJson;
  onQuantity: (quantity: number) => void;
  onRemove: () => Promise<void>;
};

export function CartRow({ item, onQuantity, onRemove }: CartRowProps) {
  const nameId = useId();
  const removal = useCall(() => null);
  const { quantity, product, previousPrice } = item;
  const isForSale = isAvailable(item);
  return (
    <li className="flex flex-wrap gap-4 py-5 sm:gap-6">
      <div className="size-20 shrink-0 overflow-hidden rounded-lg bg-surface sm:size-28">
        <ProductImage
          image={product.image}
          use="thumbnail"
          className={clsx("size-full", !isForSale && "opacity-50")}
        />
      </div>
      <div className="grid min-w-[min(11rem,100%)] flex-1 content-start gap-x-6 gap-y-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <h2 id={nameId} className="font-medium leading-snug">
            <ProductName id={product.id} name={product.name} />
          </h2>
          {!isForSale && <p className="mt-1 text-danger">{UNAVAILABLE}</p>}
          {isForSale && !isInStock(item) && (
            <p className="mt-1 text-danger">{shortageText(item)}</p>
          )}
          {isForSale && <PriceChange previousPrice={previousPrice} />}
        </div>
        {isForSale && (
          // With room for the price of one, so that a second piece does not move the buttons below.
          <p className="flex flex-wrap items-baseline gap-x-3 sm:min-h-12.5 sm:flex-col sm:items-end">
            <Price cents={itemPriceCents(item) * quantity} className="font-semibold text-lg" />
            {quantity > 1 && (
              <span className="text-muted text-sm">
                <Price euros={product.price} /> l’unité
              </span>
            )}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-1 gap-y-2 sm:col-span-2 sm:gap-x-3">
          {isForSale && (
            <QuantityInput
              value={quantity}
              max={MAX_QUANTITY}
              label={`Quantité de ${product.name}`}
              onChange={(next) => {
                if (next !== quantity) onQuantity(next);
              }}
            />
          )}
          <Button
            variant="ghost"
            size="sm"
            className={isForSale ? "-mr-3.5" : "-ml-3.5"}
            aria-describedby={nameId}
            busy={removal.isBusy}
            onClick={() => removal.run(onRemove)}
          >
            Supprimer
          </Button>
        </div>
      </div>
    </li>
  );
}
