"use client";

import { lazy, Suspense, useEffect, useRef } from "react";
import type { AddResult } from "@/components/cart/add-product";
import { Alert } from "@/components/ui/alert";

export const loadAddition = () => import("@/components/cart/addition");
const AdditionPanel = lazy(async () => ({ default: (await loadAddition()).AdditionPanel }));

interface AddToCartMessageProps {
  result: AddResult | null;
  /** The product's picture. */
  image: string | null;
  /** Stays on the page instead of opening the cart. */
  onStay: () => void;
}

/** What a click on 'Ajouter au panier' has done, with the next steps. Scrolls into view. */
export function AddToCartMessage({ result, image, onStay }: AddToCartMessageProps) {
  const failure = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (result?.kind === "failed") failure.current?.scrollIntoView({ block: "nearest" });
  }, [result]);

  return (
    <>
      {/* A live region must exist before its content changes, or it may not be announced. */}
      <div aria-live="polite" className="empty:absolute">
        {result && result.kind !== "failed" && (
          <Suspense fallback={null}>
            <AdditionPanel result={result} image={image} onStay={onStay} />
          </Suspense>
        )}
      </div>
      {result?.kind === "failed" && (
        <div ref={failure} className="scroll-mb-4">
          <Alert kind="error">{result.text}</Alert>
        </div>
      )}
    </>
  );
}
