"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { CartRow } from "@/components/cart/cart-row";
import { useCart } from "@/components/cart/use-cart";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { BagIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiError } from "@/lib/api-client";
import { loadPage } from "@/lib/auth/client";
import {
  cartState,
  emptyCart,
  refreshCart,
  removeCartItem,
  updateCartItem,
} from "@/lib/cart/client";
import { type CartItemJson, canCheckOut, itemTotals } from "@/lib/cart/rules";
import * as texts from "@/lib/cart/texts";
import { CHECKOUT_COOKIE } from "@/lib/guards";

/** Milliseconds that a success is shown. */
const MESSAGE_LIFETIME = 6000;
/** Seconds in which a checkout may be begun or loaded again after 'Passer la commande'. */
const CHECKOUT_LIFETIME = 1800;

interface Result {
  kind: "success" | "error";
  text: string;
  /** Where it was the reading that failed: it can be tried again. */
  isAboutReading?: boolean;
}

/** What the cart's page shows: the visitor's items, and what can be done with them. */
export function Cart() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, hasFailed } = useCart();
  const [result, setResult] = useState<Result | null>(null);
  const [isEmptying, setIsEmptying] = useState(false);
  const [isPreparing, setIsPreparing] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const failures = useRef(0);
  // The document may be as old as the browser's cache: what it shows is read when it is looked at.
  const [isRead, setIsRead] = useState(false);

  useEffect(() => {
    if (result?.kind !== "success") return;
    const timer = setTimeout(() => setResult(null), MESSAGE_LIFETIME);
    return () => clearTimeout(timer);
  }, [result]);

  // Read after all, as when another tab has told of a change.
  useEffect(() => {
    if (!hasFailed) setResult((last) => (last?.isAboutReading ? null : last));
  }, [hasFailed]);

  /** Reads the cart for what this page is about to show or do; false, and said, where it fails. */
  async function read(): Promise<boolean> {
    setResult(null);
    await refreshCart();
    if (!cartState().hasFailed) return true;
    setResult({ kind: "error", text: texts.LOAD_FAILED, isAboutReading: true });
    return false;
  }

  function load() {
    setIsRead(false);
    void read().then(() => setIsRead(true));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(load, []);

  /** Runs a change and says how it went; `focus` where what was pressed is gone afterwards. */
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
    // The checkout is about what the page shows, and the page about what the shop has.
    const isFresh = await read();
    setIsPreparing(false);
    const { items: latest } = cartState();
    if (!isFresh || failures.current > before || !latest || !canCheckOut(latest)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
    document.cookie = `${CHECKOUT_COOKIE}=1; path=/checkout; max-age=${CHECKOUT_LIFETIME}; samesite=lax`;
    setIsLeaving(true);
    // The browser may bring this page back as it is now.
    window.addEventListener("pagehide", () => setIsLeaving(false), { once: true });
    // As a document of its own: no other may talk to the payment provider (docs/decisions/030).
    loadPage("/checkout");
  }

  const title = (
    <h1 ref={heading} tabIndex={-1} className="text-title focus-visible:outline-none">
      Panier
    </h1>
  );
  // Laid over the page: what was pressed stays under the pointer, to be pressed again.
  const message = result && (
    <Alert
      kind={result.kind}
      messages={[result.text]}
      className="fixed inset-x-4 bottom-4 z-30 mx-auto max-w-md shadow-overlay"
    >
      {result.isAboutReading && (
        <div className="mt-3">
          <Button
            variant="secondary"
            size="sm"
            onClick={() => {
              load();
              // The button goes with its message.
              heading.current?.focus({ preventScroll: true });
            }}
          >
            Réessayer
          </Button>
        </div>
      )}
    </Alert>
  );

  if (items === null && isRead && hasFailed) {
    return (
      <Frame title={title}>
        <Alert kind="error" messages={[texts.LOAD_FAILED]} className="mt-6" />
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

  const { pieces, totalCents } = itemTotals(items);
  const isBlocked = !canCheckOut(items);
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
          {isBlocked && (
            <Alert kind="warning" className="mt-4">
              <p id="cart-blocked">{texts.BLOCKED}</p>
            </Alert>
          )}
          <Button
            size="lg"
            block
            className="mt-5"
            disabled={isBlocked}
            aria-describedby={isBlocked ? "cart-blocked" : undefined}
            busy={isPreparing || isLeaving}
            onClick={checkOut}
          >
            Passer la commande
          </Button>
          <ButtonLink href="/products" variant="ghost" block className="mt-2">
            Continuer mes achats
          </ButtonLink>
        </section>
      </div>
    </Frame>
  );
}

const columns =
  "mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12 xl:grid-cols-[minmax(0,1fr)_24rem]";

function Frame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-6">
      {title}
      {children}
    </div>
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
