"use client";

import clsx from "clsx";
import { useEffect } from "react";
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
  const { pieces } = itemTotals(items ?? []);
  if (pieces === 0) return null;
  return (
    <span
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
