"use client";

import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { FreeShipping } from "@/components/cart/free-shipping";
import { useCart } from "@/components/cart/use-cart";
import { ProductImage } from "@/components/catalogue/product-image";
import { ProductName } from "@/components/catalogue/product-name";
import { BusyButton } from "@/components/ui/busy-button";
import { ButtonLink } from "@/components/ui/button";
import { Price } from "@/components/ui/price";
import { QuantityInput } from "@/components/ui/quantity-input";
import { Skeleton } from "@/components/ui/skeleton";
import { useCall } from "@/components/ui/use-call";
import { useSession } from "@/lib/browser/session";
import {
  refreshInBackground,
  removeCartItem,
  setCartToken,
  updateCartItem,
} from "@/lib/cart/client";
import { MAX_QUANTITY } from "@/lib/cart/limits";
import {
  type CartItemJson,
  isAvailable,
  isInStock,
  itemPriceCents,
  itemTotals,
} from "@/lib/cart/rules";
import { articlesText, EMPTY_CART, shortageText, UNAVAILABLE } from "@/lib/cart/texts";
import { loginUrl } from "@/lib/guards";

/**
 * A summary of the cart, loaded anew whenever it opens. If loading fails, it shows the last loaded cart or
 * an empty one, without an error.
 */
export function MiniCart() {
  const { token } = useSession();
  const { items, shipping, hasFailed } = useCart();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setCartToken(token);
    void refreshInBackground();
  }, [token]);

  if (items === null && token && !hasFailed) return <MiniCartSkeleton />;
  const { pieces, totalCents } = itemTotals(items ?? []);
  return (
    <div ref={panel} tabIndex={-1} className="focus-visible:outline-none">
      {items?.length ? (
        <>
          <ul className="max-h-[min(26rem,max(8rem,calc(100dvh-14rem)))] divide-y divide-line overflow-y-auto overscroll-contain px-5">
            {items.map((item) => (
              <MiniCartItem key={item.id} item={item} panel={panel} />
            ))}
          </ul>
          <div className="border-line border-t bg-surface p-5">
            {shipping && <FreeShipping items={items} shipping={shipping} />}
            <p
              aria-live="polite"
              aria-atomic="true"
              className="flex items-baseline justify-between gap-4 not-first:mt-3"
            >
              <span className="text-muted">{articlesText(pieces)}</span>
              <span>
                Total <Price cents={totalCents} className="ml-1 font-semibold text-lg" />
              </span>
            </p>
            <ButtonLink href="/cart" prefetch={false} block className="mt-4">
              Aller au panier
            </ButtonLink>
          </div>
        </>
      ) : (
        <EmptyCart>
          {token ? (
            <ButtonLink href="/products" variant="secondary">
              Parcourir le catalogue
            </ButtonLink>
          ) : (
            <LoginLink />
          )}
        </EmptyCart>
      )}
    </div>
  );
}

function EmptyCart({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-8 text-center">
      <p>{EMPTY_CART}</p>
      {children}
    </div>
  );
}

function LoginLink() {
  const { pathname, search } = window.location;
  return (
    <ButtonLink href={loginUrl(pathname + search)} variant="secondary" prefetch={false}>
      Se connecter
    </ButtonLink>
  );
}

interface MiniCartItemProps {
  item: CartItemJson;
  /** Takes the focus of the button that removes the item. */
  panel: RefObject<HTMLElement | null>;
}

function MiniCartItem({ item, panel }: MiniCartItemProps) {
  const { id, quantity, product } = item;
  const nameId = useId();
  const removal = useCall(() => null);
  const isForSale = isAvailable(item);

  function remove() {
    // The button is disabled during the call, and then disappears: without the focus the panel would close.
    panel.current?.focus({ preventScroll: true });
    void removal.run(() => removeCartItem(id));
  }

  return (
    <li className="flex gap-4 py-4">
      <div className="size-16 shrink-0 overflow-hidden rounded-md bg-surface">
        <ProductImage image={product.image} use="thumbnail" />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex items-start justify-between gap-3">
          {/* The padding is room for the focus ring, which line-clamp would cut. */}
          <p id={nameId} className="-m-1 line-clamp-2 min-w-0 p-1 font-medium text-sm leading-snug">
            <ProductName id={product.id} name={product.name} />
          </p>
          {isForSale && (
            <Price cents={itemPriceCents(item) * quantity} className="font-semibold text-sm" />
          )}
        </div>
        {isForSale && quantity > 1 && (
          <p className="text-muted text-xs">
            <Price euros={product.price} />
            <span>{`\u00a0×\u00a0${quantity}`}</span>
          </p>
        )}
        {!isForSale && <p className="text-danger text-sm">{UNAVAILABLE}</p>}
        {isForSale && !isInStock(item) && (
          <p className="text-danger text-sm">{shortageText(item)}</p>
        )}
        <div className="flex items-center justify-between gap-3">
          {isForSale && (
            <QuantityInput
              size="sm"
              value={quantity}
              max={MAX_QUANTITY}
              tooLow="ignore"
              label={`Quantité de ${product.name}`}
              // After a failure the old quantity is shown again; only the cart's page has messages.
              onChange={(next) => {
                if (next !== quantity)
                  updateCartItem({ id, quantity: next }).catch(() => undefined);
              }}
            />
          )}
          <BusyButton
            type="button"
            busy={removal.isBusy}
            aria-describedby={nameId}
            onClick={remove}
            className="-my-1 min-h-8 text-muted text-sm underline underline-offset-4 hover:text-ink"
          >
            Supprimer
          </BusyButton>
        </div>
      </div>
    </li>
  );
}

function MiniCartSkeleton() {
  return (
    <div className="p-5">
      <p role="status" className="sr-only">
        Chargement du panier...
      </p>
      {[1, 2].map((key) => (
        <div key={key} className="flex gap-4 py-3">
          <Skeleton className="size-16 shrink-0" />
          <div className="flex-1 space-y-2 pt-1">
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-4 w-1/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
