"use client";

import { useEffect, useRef } from "react";
import type { AddResult } from "@/components/cart/add-product";
import type { AdditionPanel } from "@/components/cart/addition-panel";
import { Alert } from "@/components/ui/alert";

interface AddToCartMessageProps {
  result: AddResult | null;
  /** Loaded with the first click. */
  Panel: typeof AdditionPanel | null;
  /** The product's picture. */
  image: string | null;
  /** Stays on the page instead of opening the cart. */
  onStay: () => void;
  /** Called before the payment opens. */
  onPay: () => void;
}

/** What a click on 'Ajouter au panier' has done, with the next steps. Scrolls into view. */
export function AddToCartMessage({ result, Panel, image, onStay, onPay }: AddToCartMessageProps) {
  const failure = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (result?.kind === "failed") failure.current?.scrollIntoView({ block: "nearest" });
  }, [result]);

  return (
    <>
      {/* A live region must exist before its content changes, or it may not be announced. */}
      <div aria-live="polite" className="empty:absolute">
        {Panel && result && result.kind !== "failed" && (
          <Panel result={result} image={image} onStay={onStay} onPay={onPay} />
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
