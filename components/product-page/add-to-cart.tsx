"use client";

import clsx from "clsx";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { BagIcon } from "@/components/ui/icons";
import { QuantityInput } from "@/components/ui/quantity-input";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import type { ApiError } from "@/lib/api-error";
import { readSession } from "@/lib/browser/session";
import { MAX_QUANTITY } from "@/lib/cart/rules";
import { ADD_FAILED, ADDED_REDIRECTING, LOGIN_TO_ADD } from "@/lib/cart/texts";

const REDIRECT_DELAY = 3000;

type Result = "added" | "logged-out" | { error: string };

interface AddToCartProps {
  id: number;
  name: string;
  /** The number of pieces left, if few or none are; otherwise null. */
  left: number | null;
  /** URL of the login, which leads back to the product. */
  loginHref: string;
  /** The id of the button. */
  buttonId?: string;
}

/** A quantity and the button that adds it to the cart, then redirects there. */
export function AddToCart({ id, name, left, loginHref, buttonId }: AddToCartProps) {
  const router = useRouter();
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined);
  const message = useRef<HTMLDivElement>(null);
  const [quantity, setQuantity] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const [result, setResult] = useState<Result | null>(null);

  useEffect(() => {
    // The message is below the button, which may be at the bottom of a phone's screen.
    message.current?.scrollIntoView({ block: "nearest" });
    // The button that had the focus is disabled now.
    if (result === "added") message.current?.focus({ preventScroll: true });
  }, [result]);

  // No redirect after the page was left.
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
      // The class of these errors is loaded only with the first call.
      const { isSessionOver, details = "" } = error as Partial<ApiError>;
      if (isSessionOver) return;
      setResult({ error: `${ADD_FAILED}\n${details}`.trim() });
    }
    setIsAdding(false);
  }

  return (
    <div className="flex w-full flex-col gap-4 print:hidden">
      <div className="flex flex-wrap items-center gap-3">
        {left !== 0 && (
          <QuantityInput
            label="Quantité"
            size="lg"
            value={quantity}
            max={Math.max(1, Math.min(left ?? MAX_QUANTITY, MAX_QUANTITY))}
            onChange={setQuantity}
            disabled={isAdding || result === "added"}
          />
        )}
        <Button
          id={buttonId}
          size="lg"
          variant={left === 0 ? "secondary" : "primary"}
          className={clsx(
            "max-w-full flex-1 whitespace-nowrap px-3!",
            left === 0 && "disabled:border-line-strong! disabled:bg-bg!",
          )}
          busy={isAdding}
          disabled={result === "added" || left === 0}
          onClick={add}
        >
          {/* The browser may paint before the whole document has arrived: an icon without the words would be
              centered in the button, and move when the words arrive. */}
          <span className="relative sm:pl-7">
            Ajouter au panier
            <BagIcon className="absolute inset-y-0 left-0 my-auto max-sm:hidden" />
          </span>
        </Button>
      </div>
      <p className="hidden text-muted text-sm noscript:block">
        L’ajout au panier a besoin de JavaScript.
      </p>
      {result && (
        <div ref={message} tabIndex={-1} className="scroll-mb-4 focus-visible:outline-none">
          <Message result={result} loginHref={loginHref} />
        </div>
      )}
    </div>
  );
}

function Message({ result, loginHref }: { result: Result; loginHref: string }) {
  if (result === "added") return <Alert kind="success">{ADDED_REDIRECTING}</Alert>;
  if (result !== "logged-out") return <Alert kind="error">{result.error}</Alert>;
  return (
    <Alert kind="info">
      <p>{LOGIN_TO_ADD}</p>
      <Link href={loginHref} prefetch={false} className="link">
        Se connecter
      </Link>
    </Alert>
  );
}
