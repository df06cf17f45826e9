"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useCart } from "@/components/cart/use-cart";
import { type Change, useRemovedItems } from "@/components/cart/use-removed-items";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import type { ApiError } from "@/lib/api-error";
import { ADDED } from "@/lib/cart/addition-texts";
import { cartState, emptyCart, refreshCart, updateCartItem } from "@/lib/cart/client";
import { openCheckout } from "@/lib/cart/open-checkout";
import { type AdditionOutcome, consumeOutcome } from "@/lib/cart/pending-add";
import { type CartItemJson, canCheckOut } from "@/lib/cart/rules";
import * as texts from "@/lib/cart/texts";

/** Milliseconds that a success message is shown. */
const MESSAGE_LIFETIME = 6000;

export interface Result {
  kind: "success" | "error";
  text: string;
  /** The cart could not be loaded: offers to try again. */
  isLoadFailure?: boolean;
}

/** The cart, and the actions on it. An action that removes the pressed button calls `focusHeading`. */
export function useCartActions({ focusHeading }: { focusHeading: () => void }) {
  const { items, shipping, isVatIncluded, hasFailed } = useCart();
  const { rows, forgetRemovals, ...removal } = useRemovedItems({ items, run, focusHeading });
  const [result, setResult] = useState<Result | null>(null);
  const [isEmptying, setIsEmptying] = useState(false);
  const [isCheckingOut, setIsCheckingOut] = useState(false);
  const failures = useRef(0);
  /** The request of `load` has ended, successfully or not. */
  const [isSettled, setIsSettled] = useState(false);

  useEffect(() => {
    if (result?.kind !== "success") return;
    const timer = setTimeout(() => setResult(null), MESSAGE_LIFETIME);
    return () => clearTimeout(timer);
  }, [result]);

  // Removes the load failure once the cart is loaded, for instance after a change in another tab.
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

  async function load() {
    setIsSettled(false);
    await refresh();
    setIsSettled(true);
  }
  // On every visit: the document and its cart may come from the browser's cache.
  const loadFirst = useEffectEvent(async () => {
    const loading = load();
    const added = consumeOutcome();
    if (added) setResult(resultOf(added));
    await loading;
    if (added?.failure === null) trackAddition(added);
  });
  useEffect(() => void loadFirst(), []);

  /** @returns whether the change was made */
  async function run({ send, done, failed, movesFocus }: Change): Promise<boolean> {
    try {
      await send();
      setResult({ kind: "success", text: done });
      if (movesFocus) focusHeading();
      return true;
    } catch (error) {
      const { isSessionOver, reason = "" } = error as Partial<ApiError>;
      if (isSessionOver) return false;
      failures.current += 1;
      setResult({ kind: "error", text: `${failed}\n${reason}`.trim() });
      return false;
    }
  }

  const setQuantity = ({ id }: CartItemJson, quantity: number) => {
    const send = () => updateCartItem({ id, quantity });
    return run({ send, done: texts.QUANTITY_CHANGED, failed: texts.QUANTITY_FAILED });
  };

  async function empty() {
    setIsEmptying(true);
    forgetRemovals();
    const { EMPTIED: done, EMPTY_FAILED: failed } = texts;
    await run({ send: emptyCart, done, failed, movesFocus: true });
    setIsEmptying(false);
  }

  async function checkOut(options: { atPayment?: boolean } = {}) {
    setIsCheckingOut(true);
    const before = failures.current;
    // The page must be up to date, and the checkout must match the page.
    const isRefreshed = await refresh();
    const latest = cartState();
    if (!isRefreshed || failures.current > before || !canCheckOut(latest)) {
      setIsCheckingOut(false);
      return;
    }
    // The back/forward cache may restore this page: its button must not be busy then.
    window.addEventListener("pagehide", () => setIsCheckingOut(false), { once: true });
    openCheckout(options);
  }

  return {
    items,
    rows,
    shipping,
    isVatIncluded,
    hasFailedToLoad: items === null && isSettled && hasFailed,
    result,
    isEmptying,
    isCheckingOut,
    actions: { load, setQuantity, ...removal, empty, checkOut },
  };
}

/** The message about a product that was added after the login. */
const resultOf = ({ failure }: AdditionOutcome): Result =>
  failure === null ? { kind: "success", text: ADDED } : { kind: "error", text: failure };

/** Records the addition, as a product's page does. The loaded cart knows the product's name. */
function trackAddition({ productId, quantity }: AdditionOutcome): void {
  const added = cartState().items?.find(({ product }) => product.id === productId);
  if (added) trackEvent({ ...EVENTS.cartAdd, name: added.product.name, value: quantity });
}
