"use client";

import { useSyncExternalStore } from "react";
import { type CartState, cartState, serverCartState, subscribeToCart } from "@/lib/cart/client";

/** The cart as this tab knows it. Does not load it: see `refreshCart` and `refreshInBackground`. */
export function useCart(): CartState {
  return useSyncExternalStore(subscribeToCart, cartState, serverCartState);
}
