"use client";

import { useEffect } from "react";
import { useCart } from "@/components/cart/use-cart";
import { setCartToken } from "@/lib/cart/client";
import { itemTotals } from "@/lib/cart/rules";

/** The number of items in the cart, over the bag's corner; nothing if it is empty. */
export function CartBadge({ token }: { token: string }) {
  const { items } = useCart();
  useEffect(() => setCartToken(token), [token]);
  useEffect(() => () => setCartToken(null), []);
  const { pieces } = itemTotals(items ?? []);
  if (pieces === 0) return null;
  return (
    <span className="absolute -top-2 -right-2.5 grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 font-semibold text-on-accent text-xs tabular-nums">
      <span aria-hidden="true">{pieces > 99 ? "99+" : pieces}</span>
      <span className="sr-only">{pieces === 1 ? "1 article" : `${pieces} articles`}</span>
    </span>
  );
}
