"use client";

import { useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { ApiError } from "@/lib/api-error";
import { ADD_FAILED } from "@/lib/cart/addition-texts";
import { addToCart } from "@/lib/cart/client";
import { productTypeOf } from "@/lib/catalogue/rules";
import type { OrderJson } from "@/lib/orders/client";

/** The outcome of putting an order's articles into the cart again. */
interface Result {
  added: number;
  /** Why others are not in the cart, each with its name. */
  refusals: string[];
}

/** Puts the objects of an order into the cart once more. Nobody needs a file twice. */
export function OrderAgain({ items }: { items: OrderJson["items"] }) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const isRunning = useRef(false);
  const objects = items.filter(
    ({ product }) => productTypeOf(product) === "physical" && product.id !== null,
  );
  if (objects.length === 0) return null;

  async function addAll() {
    if (isRunning.current) return;
    isRunning.current = true;
    setResult(null);
    setIsBusy(true);
    const refusals: string[] = [];
    try {
      // One after the other: they all change one cart.
      for (const { product, quantity } of objects) {
        try {
          await addToCart({ productId: Number(product.id), quantity });
        } catch (error) {
          if (!(error instanceof ApiError) || error.isSessionOver) throw error;
          refusals.push(`${product.name}\u00a0: ${error.reason || ADD_FAILED}`);
        }
      }
      setResult({ added: objects.length - refusals.length, refusals });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col items-start gap-3">
      {result && <AgainResult result={result} />}
      {result && result.added > 0 ? (
        <ButtonLink href="/cart" prefetch={false}>
          Voir le panier
        </ButtonLink>
      ) : (
        <Button variant="secondary" busy={isBusy} onClick={() => void addAll()}>
          Commander à nouveau
        </Button>
      )}
    </div>
  );
}

function AgainResult({ result: { added, refusals } }: { result: Result }) {
  const isComplete = refusals.length === 0;
  return (
    <Alert kind={isComplete ? "success" : added > 0 ? "warning" : "error"} className="w-full">
      {added > 0 && (
        <p>
          {added > 1
            ? `${added} articles ont été ajoutés au panier.`
            : "1 article a été ajouté au panier."}
        </p>
      )}
      {refusals.map((refusal) => (
        <p key={refusal}>{refusal}</p>
      ))}
    </Alert>
  );
}
