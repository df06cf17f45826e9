"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { CartRow } from "@/components/cart/cart-row";
import { ShippingNotice } from "@/components/cart/shipping-notice";
import { useCart } from "@/components/cart/use-cart";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { BagIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiError } from "@/lib/api-client";
import { loadPage } from "@/lib/browser-session";
import {
  cartState,
  emptyCart,
  refreshCart,
  removeCartItem,
  updateCartItem,
} from "@/lib/cart/client";
import {
  type CartItemJson,
  type CartShippingJson,
  canCheckOut,
  isAvailable,
  isInStock,
  itemTotals,
} from "@/lib/cart/rules";
import * as texts from "@/lib/cart/texts";
import { CHECKOUT_COOKIE } from "@/lib/guards";

/** Milliseconds that a success is shown. */
const MESSAGE_LIFETIME = 6000;
/** Seconds in which the checkout may be opened or reloaded after 'Passer la commande'. */
const CHECKOUT_LIFETIME = 1800;

interface Result {
  kind: "success" | "error";
  text: string;
  /** The cart could not be loaded: offers to try again. */
  isLoadFailure?: boolean;
}

/** The content of the cart's page: the items, and the actions on them. */
export function Cart() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, shipping, hasFailed } = useCart();
  const [result, setResult] = useState<Result | null>(null);
  const [isEmptying, setIsEmptying] = useState(false);
  const [isPreparing, setIsPreparing] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const failures = useRef(0);
  /** The request of `load` has ended, successfully or not. */
  const [isSettled, setIsSettled] = useState(false);

  useEffect(() => {
    if (result?.kind !== "success") return;
    const timer = setTimeout(() => setResult(null), MESSAGE_LIFETIME);
    return () => clearTimeout(timer);
  }, [result]);

  // Loaded after all, as when another tab has broadcast a change.
  useEffect(() => {
    if (!hasFailed) setResult((last) => (last?.isLoadFailure ? null : last));
  }, [hasFailed]);

  /** Loads the cart anew; returns false, with an error message, if that fails. */
  async function refresh(): Promise<boolean> {
    setResult(null);
    await refreshCart();
    if (!cartState().hasFailed) return true;
    setResult({ kind: "error", text: texts.LOAD_FAILED, isLoadFailure: true });
    return false;
  }

  function load() {
    setIsSettled(false);
    void refresh().then(() => setIsSettled(true));
  }
  // Always: the document, and what it knows of the cart, may come from the browser's cache.
  const loadFirst = useEffectEvent(load);
  useEffect(() => loadFirst(), []);

  /** Runs a change and shows its result; `focus` if the pressed button is removed by it. */
  async function run({
    change,
    done,
    failed,
    focus,
  }: {
    change: () => Promise<void>;
    done: string;
    failed: string;
    focus?: boolean;
  }) {
    try {
      await change();
      setResult({ kind: "success", text: done });
      if (focus) heading.current?.focus({ preventScroll: true });
    } catch (error) {
      if (error instanceof ApiError && error.isSessionOver) return;
      failures.current += 1;
      setResult({ kind: "error", text: failed });
    }
  }

  const setQuantity =
    ({ id }: CartItemJson) =>
    (quantity: number) =>
      run({
        change: () => updateCartItem({ id, quantity }),
        done: texts.QUANTITY_CHANGED,
        failed: texts.QUANTITY_FAILED,
      });

  const remove = ({ id }: CartItemJson) =>
    run({
      change: () => removeCartItem(id),
      done: texts.REMOVED,
      failed: texts.REMOVE_FAILED,
      focus: true,
    });

  async function empty() {
    setIsEmptying(true);
    await run({
      change: emptyCart,
      done: texts.EMPTIED,
      failed: texts.EMPTY_FAILED,
      focus: true,
    });
    setIsEmptying(false);
  }

  async function checkOut() {
    setIsPreparing(true);
    const before = failures.current;
    // The checkout must be about what the page shows, and the page must be up to date.
    const isRefreshed = await refresh();
    setIsPreparing(false);
    const { items: latest } = cartState();
    if (!isRefreshed || failures.current > before || !latest || !canCheckOut(latest)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
    document.cookie = `${CHECKOUT_COOKIE}=1; path=/checkout; max-age=${CHECKOUT_LIFETIME}; samesite=lax`;
    setIsLeaving(true);
    // The back/forward cache may restore this page as it is now.
    window.addEventListener("pagehide", () => setIsLeaving(false), { once: true });
    // A document of its own: only its policy allows the payment provider (docs/decisions/030).
    loadPage("/checkout");
  }

  const title = (
    <h1 ref={heading} tabIndex={-1} className="text-title focus-visible:outline-none">
      Panier
    </h1>
  );
  // Fixed over the page: the pressed button stays under the pointer, to be pressed again.
  const message = result && (
    <Alert
      kind={result.kind}
      className="fixed inset-x-4 bottom-4 z-30 mx-auto max-w-md shadow-overlay"
    >
      {result.text}
      {result.isLoadFailure && (
        <div className="mt-3">
          <Button
            variant="secondary"
            size="sm"
            onClick={() => {
              load();
              // The button disappears with its message.
              heading.current?.focus({ preventScroll: true });
            }}
          >
            Réessayer
          </Button>
        </div>
      )}
    </Alert>
  );

  if (items === null && isSettled && hasFailed) {
    return (
      <Frame title={title}>
        <Alert kind="error" className="mt-6">
          {texts.LOAD_FAILED}
        </Alert>
        <Button variant="secondary" className="mt-4" onClick={load}>
          Réessayer
        </Button>
      </Frame>
    );
  }
  if (items === null) {
    return (
      <Frame title={title}>
        <CartSkeleton />
      </Frame>
    );
  }
  if (items.length === 0) {
    return (
      <Frame title={title}>
        {message}
        <EmptyState title={texts.EMPTY_CART} icon={<BagIcon size={28} />} className="mt-6">
          <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
        </EmptyState>
      </Frame>
    );
  }

  return (
    <Frame title={title}>
      {message}
      <div className={columns}>
        <div>
          <ul className="divide-y divide-line border-line border-y">
            {items.map((item) => (
              <CartRow
                key={item.id}
                item={item}
                onQuantity={setQuantity(item)}
                onRemove={() => remove(item)}
              />
            ))}
          </ul>
          <Button
            variant="ghost"
            size="sm"
            className="mt-4 -ml-3.5"
            busy={isEmptying}
            onClick={empty}
          >
            Vider le panier
          </Button>
        </div>
        <Summary
          items={items}
          shipping={shipping}
          isBusy={isPreparing || isLeaving}
          onCheckOut={checkOut}
        />
      </div>
    </Frame>
  );
}

const columns =
  "mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:gap-12 xl:grid-cols-[minmax(0,1fr)_min(24rem,40%)]";

function Frame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-6">
      {title}
      {children}
    </div>
  );
}

interface SummaryProps {
  items: readonly CartItemJson[];
  shipping: CartShippingJson | null;
  /** The checkout is about to open. */
  isBusy: boolean;
  onCheckOut: () => void;
}

/** The total, and the way to the checkout. */
function Summary({ items, shipping, isBusy, onCheckOut }: SummaryProps) {
  const { pieces, totalCents } = itemTotals(items);
  const isBlocked = !canCheckOut(items);
  return (
    <section
      aria-label="Récapitulatif"
      className="rounded-xl bg-surface p-5 sm:p-6 lg:sticky lg:top-24"
    >
      <p className="flex items-baseline justify-between gap-4 text-muted">
        Articles <span className="tabular-nums">{pieces}</span>
      </p>
      <p className="mt-3 flex items-baseline justify-between gap-4 border-line border-t pt-3">
        <span className="font-semibold text-lg">Total</span>
        <Price cents={totalCents} className="font-semibold text-heading" />
      </p>
      <p className="text-right text-muted text-sm">TVA comprise</p>
      {shipping && <ShippingNotice shipping={shipping} />}
      {isBlocked && (
        <Alert kind="warning" className="mt-4">
          <div id="cart-blocked">
            {!items.every(isAvailable) && <p>{texts.BLOCKED}</p>}
            {!items.every(isInStock) && <p>{texts.TOO_FEW}</p>}
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
        onClick={onCheckOut}
      >
        Passer la commande
      </Button>
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
