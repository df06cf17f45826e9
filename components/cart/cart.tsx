"use client";

import { useRef } from "react";
import { CartRow } from "@/components/cart/cart-row";
import { CartSums } from "@/components/cart/cart-sums";
import { RemovedRow } from "@/components/cart/removed-row";
import { type Result, useCartActions } from "@/components/cart/use-cart-actions";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { BagIcon } from "@/components/ui/icons";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { type AddressJson, listAddresses } from "@/lib/addresses/client";
import { usualAddresses } from "@/lib/addresses/rules";
import {
  type CartItemJson,
  type CartShippingJson,
  canCheckOut,
  cartCentsBelowMinimum,
  isAvailable,
  isInStock,
} from "@/lib/cart/rules";
import * as texts from "@/lib/cart/texts";

export function Cart() {
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = () => heading.current?.focus({ preventScroll: true });
  const cart = useCartActions({ focusHeading });
  const { items, rows, shipping, isVatIncluded, result, actions } = cart;
  const addresses = useLoaded("/api/addresses_front", listAddresses);

  function loadAgain() {
    actions.load();
    // The pressed button disappears with its message.
    focusHeading();
  }

  const list = rows.map(({ item, isRemoved }) =>
    isRemoved ? (
      <RemovedRow
        key={item.id}
        item={item}
        onUndo={() => actions.undoRemoval(item)}
        onExpire={(options) => actions.endUndo(item, options)}
      />
    ) : (
      <CartRow
        key={item.id}
        item={item}
        onQuantity={(quantity) => actions.setQuantity(item, quantity)}
        onRemove={() => actions.remove(item)}
      />
    ),
  );

  return (
    <div className="mt-6">
      <h1 ref={heading} tabIndex={-1} className="text-title focus-visible:outline-none">
        Panier
      </h1>
      {cart.hasFailedToLoad ? (
        <RetryAlert className="mt-6" message={texts.LOAD_FAILED} onRetry={actions.load} />
      ) : items === null ? (
        <CartSkeleton />
      ) : (
        <>
          {result && <Message result={result} onRetry={loadAgain} />}
          {items.length === 0 && (
            <>
              {rows.length > 0 && <ul className="mt-6 border-line border-y">{list}</ul>}
              <EmptyState title={texts.EMPTY_CART} icon={<BagIcon size={28} />} className="mt-6">
                <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
              </EmptyState>
            </>
          )}
          {items.length > 0 && (
            <div className={columns}>
              <div>
                <ul className="divide-y divide-line border-line border-y">{list}</ul>
                <Button
                  variant="ghost"
                  size="sm"
                  className="mt-4 -ml-3.5"
                  busy={cart.isEmptying}
                  onClick={actions.empty}
                >
                  Vider le panier
                </Button>
              </div>
              <Summary
                items={items}
                shipping={shipping}
                isVatIncluded={isVatIncluded}
                address={usualAddresses(addresses.data ?? [])?.shipping ?? null}
                isBusy={cart.isCheckingOut}
                onCheckOut={actions.checkOut}
              />
            </div>
          )}
        </>
      )}
    </div>
  );
}

/** Fixed over the page: the pressed button stays under the pointer and can be pressed again. */
function Message({ result, onRetry }: { result: Result; onRetry: () => void }) {
  return (
    <Alert
      kind={result.kind}
      className="page-toast fixed inset-x-4 bottom-4 z-30 mx-auto max-w-md shadow-overlay"
    >
      <p>{result.text}</p>
      {result.isLoadFailure && (
        <div className="mt-3">
          <Button variant="secondary" size="sm" onClick={onRetry}>
            Réessayer
          </Button>
        </div>
      )}
    </Alert>
  );
}

const columns =
  "mt-6 grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:gap-12 xl:grid-cols-[minmax(0,1fr)_min(24rem,40%)]";

interface SummaryProps {
  items: readonly CartItemJson[];
  shipping: CartShippingJson | null;
  isVatIncluded: boolean;
  /** Where the order will go; null if an address has to be chosen first. */
  address: AddressJson | null;
  /** The checkout is about to open. */
  isBusy: boolean;
  onCheckOut: (options?: { atPayment: boolean }) => void;
}

/** The total, and the button that opens the checkout. */
function Summary({ items, shipping, isVatIncluded, address, isBusy, onCheckOut }: SummaryProps) {
  const isBlocked = !canCheckOut({ items, shipping });
  const missingCents = cartCentsBelowMinimum({ items, shipping });
  return (
    <section
      aria-label="Récapitulatif"
      className="rounded-xl bg-surface p-5 sm:p-6 lg:sticky lg:top-24"
    >
      <CartSums items={items} shipping={shipping} isVatIncluded={isVatIncluded} />
      {isBlocked && (
        <Alert kind="warning" className="mt-4">
          <div id="cart-blocked">
            {!items.every(isAvailable) && <p>{texts.BLOCKED}</p>}
            {!items.every(isInStock) && <p>{texts.TOO_FEW_IN_STOCK}</p>}
            {missingCents > 0 && <p>{texts.tooLittle(missingCents)}</p>}
          </div>
        </Alert>
      )}
      <Button
        size="lg"
        block
        className="mt-5"
        disabled={isBlocked}
        aria-describedby={isBlocked ? "cart-blocked" : undefined}
        busy={isBusy}
        onClick={() => onCheckOut()}
      >
        Passer la commande
      </Button>
      {address && !isBlocked && (
        <>
          <Button
            variant="secondary"
            block
            className="mt-3"
            disabled={isBusy}
            onClick={() => onCheckOut({ atPayment: true })}
          >
            Aller au paiement
          </Button>
          <p className="mt-1.5 mb-3 text-center text-muted text-sm">
            {`Avec votre adresse habituelle\u00a0: ${address.street}, ${address.postalCode} ${address.city}`}
          </p>
        </>
      )}
      <ButtonLink href="/products" variant="ghost" block className="mt-2">
        Continuer mes achats
      </ButtonLink>
    </section>
  );
}

function CartSkeleton() {
  return (
    <div className={columns}>
      <p role="status" className="sr-only">
        Chargement du panier...
      </p>
      <div className="divide-y divide-line border-line border-y">
        {[1, 2, 3].map((key) => (
          <div key={key} className="flex gap-4 py-5 sm:gap-6">
            <Skeleton className="size-20 shrink-0 sm:size-28" />
            <div className="flex-1 space-y-3 pt-1">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="h-5 w-24" />
              <Skeleton className="h-11 w-36" />
            </div>
          </div>
        ))}
      </div>
      <Skeleton className="h-60" />
    </div>
  );
}
