"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { BagIcon } from "@/components/ui/icons";
import { QuantityInput } from "@/components/ui/quantity-input";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { readSession } from "@/lib/auth/client";
import { MAX_QUANTITY } from "@/lib/cart/rules";
import { ADD_FAILED, ADDED_REDIRECTING, LOGIN_TO_ADD } from "@/lib/cart/texts";

const REDIRECT_DELAY = 3000;

type Result = "added" | "logged-out" | { error: string };

/** The choice of a quantity and the button that puts it into the cart, then leads there. */
export function AddToCart({ id, name }: { id: number; name: string }) {
  const router = useRouter();
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [quantity, setQuantity] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const [result, setResult] = useState<Result | null>(null);

  // Whoever has left the page meanwhile is not led away from the next one.
  useEffect(() => () => clearTimeout(redirect.current), []);

  async function add() {
    if (!readSession().token) {
      setResult("logged-out");
      return;
    }
    setIsAdding(true);
    setResult(null);
    try {
      const { addToCart } = await import("@/lib/cart/client");
      await addToCart({ productId: id, quantity });
      trackEvent({ ...EVENTS.cartAdd, name, value: quantity });
      setResult("added");
      redirect.current = setTimeout(() => router.push("/cart"), REDIRECT_DELAY);
    } catch (error) {
      const { isSessionOver, details = "" } = error as Partial<Refusal>;
      if (isSessionOver) return;
      setResult({ error: `${ADD_FAILED}\n${details}`.trim() });
    }
    setIsAdding(false);
  }

  return (
    <div className="flex w-full flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <QuantityInput
          label="Quantité"
          value={quantity}
          max={MAX_QUANTITY}
          onChange={setQuantity}
          disabled={isAdding || result === "added"}
        />
        <Button
          className="min-w-52 flex-1 sm:flex-none"
          busy={isAdding}
          disabled={result === "added"}
          onClick={add}
        >
          <BagIcon />
          Ajouter au panier
        </Button>
      </div>
      {result === "added" && <Alert kind="success" messages={[ADDED_REDIRECTING]} />}
      {result === "logged-out" && (
        <Alert kind="info">
          <p>{LOGIN_TO_ADD}</p>
          <Link href="/login" prefetch={false} className="link">
            Se connecter
          </Link>
        </Alert>
      )}
      {typeof result === "object" && result && <Alert kind="error" messages={[result.error]} />}
    </div>
  );
}

/** What is needed of an ApiError, whose class comes only with the first call. */
interface Refusal {
  isSessionOver: boolean;
  details: string;
}
