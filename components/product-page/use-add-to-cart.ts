"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import type { ApiError } from "@/lib/api-error";
import { readSession } from "@/lib/browser/session";
import { consumeOutcome, rememberAddition } from "@/lib/cart/pending-add";
import { addFailed } from "@/lib/cart/texts";
import { plainReturnPath } from "@/lib/guards";

const REDIRECT_DELAY = 3000;

/**
 * - `added`: the cart opens soon
 * - `stayed`: added, and the visitor wants to stay on the page
 * - `logged-out`: remembered until the login, which returns to this page
 */
export type AddResult =
  | { kind: "added" | "stayed" }
  | { kind: "logged-out"; returnTo: string }
  | { kind: "failed"; text: string };

/** Adds a product to the cart and then opens the cart; logged-out visitors are asked to log in first. */
export function useAddToCart({ id, name, max }: { id: number; name: string; max: number }) {
  const router = useRouter();
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [quantity, setQuantity] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const [result, setResult] = useState<AddResult | null>(null);

  // No redirect after the page was left.
  useEffect(() => () => clearTimeout(redirect.current), []);

  const showFailedAddition = useEffectEvent(() => {
    const outcome = consumeOutcome(id);
    if (!outcome?.failure) return;
    setQuantity(Math.min(outcome.quantity, max));
    setResult({ kind: "failed", text: outcome.failure });
  });
  useEffect(() => showFailedAddition(), []);

  async function add() {
    if (!readSession().token) {
      rememberAddition({ productId: id, quantity });
      const { pathname, search } = window.location;
      const returnTo = plainReturnPath(pathname + search) ?? `/product/${id}`;
      setResult({ kind: "logged-out", returnTo });
      return;
    }
    setIsAdding(true);
    setResult(null);
    try {
      const { addToCart } = await import("@/lib/cart/client");
      await addToCart({ productId: id, quantity });
      trackEvent({ ...EVENTS.cartAdd, name, value: quantity });
      setResult({ kind: "added" });
      redirect.current = setTimeout(() => router.push("/cart"), REDIRECT_DELAY);
    } catch (error) {
      // The class of these errors is loaded only with the first call.
      const { isSessionOver, details = "" } = error as Partial<ApiError>;
      if (isSessionOver) {
        // The login is being loaded.
        rememberAddition({ productId: id, quantity });
        return;
      }
      setResult({ kind: "failed", text: addFailed(details) });
    }
    setIsAdding(false);
  }

  function stay() {
    clearTimeout(redirect.current);
    setResult({ kind: "stayed" });
  }

  return { quantity, setQuantity, isAdding, result, add, stay };
}
