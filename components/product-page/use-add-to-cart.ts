"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import type { AddResult } from "@/components/cart/add-product";
import type { AdditionPanel } from "@/components/cart/addition-panel";
import { usePageTimer } from "@/components/ui/use-page-timer";
import { ADD_FAILED } from "@/lib/cart/addition-texts";
import { consumeOutcome } from "@/lib/cart/pending-add";

const REDIRECT_DELAY = 3000;

/** Adds a product to the cart and then opens the cart; logged-out visitors are asked to log in first. */
export function useAddToCart({ id, name, max }: { id: number; name: string; max: number }) {
  const router = useRouter();
  const redirect = usePageTimer();
  const [quantity, setQuantity] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const [result, setResult] = useState<AddResult | null>(null);
  // A state instead of `lazy`, which React may show with a delay.
  const [Panel, setPanel] = useState<typeof AdditionPanel | null>(null);

  const showFailedAddition = useEffectEvent(() => {
    const outcome = consumeOutcome(id);
    if (!outcome?.failure) return;
    setQuantity(Math.min(outcome.quantity, max));
    setResult({ kind: "failed", text: outcome.failure });
  });
  useEffect(() => showFailedAddition(), []);

  async function add() {
    setIsAdding(true);
    setResult(null);
    const addition = await import("@/components/cart/addition").catch(() => null);
    const outcome: AddResult | null = addition
      ? await addition.addProduct({ id, name, quantity })
      : { kind: "failed", text: ADD_FAILED };
    // The login is being loaded.
    if (outcome === null) return;
    if (addition) setPanel(() => addition.AdditionPanel);
    setResult(outcome);
    setIsAdding(false);
    if (outcome.kind === "added") redirect.start(() => router.push("/cart"), REDIRECT_DELAY);
  }

  function stay() {
    redirect.stop();
    setResult({ kind: "stayed" });
  }

  return {
    quantity,
    setQuantity,
    isAdding,
    result,
    Panel,
    add,
    stay,
    cancelRedirect: redirect.stop,
  };
}
