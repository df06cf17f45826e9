"use client";

import clsx from "clsx";
import { useEffect, useRef } from "react";
import { useCart } from "@/components/cart/use-cart";
import { setCartToken } from "@/lib/cart/client";
import { itemTotals } from "@/lib/cart/rules";
import { articlesText } from "@/lib/cart/texts";

/**
 * The number of items in the cart, over the bag's corner; nothing if the cart is empty. Long numbers extend
 * away from the bag.
 */
export function CartBadge({ token }: { token: string }) {
  const { items } = useCart();
  useEffect(() => setCartToken(token), [token]);
  useEffect(() => () => setCartToken(null), []);
  const pieces = items && itemTotals(items).pieces;
  const badge = useBump(pieces);
  if (!pieces) return null;
  return (
    <span
      ref={badge}
      className={clsx(
        "absolute -top-2 left-3 grid h-5 min-w-5 place-items-center rounded-full bg-accent font-semibold text-on-accent tabular-nums",
        pieces > 99 ? "px-0.5 text-[0.6875rem] leading-4 tracking-tight" : "px-0.5 text-xs",
      )}
    >
      <span aria-hidden="true">{pieces > 99 ? "99+" : pieces}</span>
      <span className="sr-only">{articlesText(pieces)}</span>
    </span>
  );
}

const BUMP = { scale: [1, 1.15, 1], easing: "ease-out" };
const BUMP_DURATION = 160;

/** Enlarges an element for a moment when the number of pieces grows, but not when it is first known. */
function useBump(pieces: number | null) {
  const element = useRef<HTMLSpanElement>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const hasGrown = before.current !== null && pieces !== null && pieces > before.current;
    before.current = pieces;
    if (!hasGrown || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    element.current?.animate(BUMP, BUMP_DURATION);
  }, [pieces]);
  return element;
}
