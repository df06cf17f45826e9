"use client";

import { useEffect, useRef } from "react";
import type { AddResult } from "@/components/cart/add-product";
import { ProductImage } from "@/components/catalogue/product-image";
import { Button, ButtonLink } from "@/components/ui/button";
import { CheckCircleIcon } from "@/components/ui/icons";
import { ADDED, ADDED_REDIRECTING, LOGIN_TO_ADD } from "@/lib/cart/addition-texts";
import { openCheckout } from "@/lib/cart/open-checkout";
import { guestUrl, loginUrl } from "@/lib/guards";

export type PanelResult = Exclude<AddResult, { kind: "failed" }>;

const SENTENCES: Record<PanelResult["kind"], string> = {
  added: ADDED_REDIRECTING,
  stayed: ADDED,
  listed: ADDED,
  "logged-out": LOGIN_TO_ADD,
};

interface AdditionPanelProps {
  result: PanelResult;
  /** The product's picture. */
  image: string | null;
  /** Stays on the page instead of opening the cart. */
  onStay: () => void;
  /** Called before the payment opens. */
  onPay?: () => void;
}

/**
 * What a click on 'Ajouter au panier' has done, and the next steps. Scrolls into view, since the button may be at
 * the bottom of the screen or in a bar. The first step takes the focus from the button.
 */
export function AdditionPanel({ result, image, onStay, onPay }: AdditionPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const { kind } = result;

  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
    if (result.kind !== "stayed") panel.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [result]);

  return (
    <div ref={panel} className="scroll-mb-4 rounded-lg border border-line p-4">
      <div className="flex items-center gap-3">
        <div className="relative size-12 shrink-0">
          <ProductImage
            image={image}
            use="thumbnail"
            className="size-full rounded-md bg-surface object-contain"
          />
          {kind !== "logged-out" && (
            <CheckCircleIcon
              size={22}
              className="absolute -right-2 -bottom-2 rounded-full bg-bg text-success"
            />
          )}
        </div>
        <p className="min-w-0 font-medium">{SENTENCES[kind]}</p>
      </div>
      <div className="mt-4 flex flex-wrap gap-2 *:min-w-[min(100%,10.5rem)] *:flex-1">
        <Steps result={result} onStay={onStay} onPay={onPay} />
      </div>
    </div>
  );
}

function Steps({ result, onStay, onPay }: Omit<AdditionPanelProps, "image">) {
  if (result.kind === "logged-out")
    return (
      <>
        <ButtonLink href={guestUrl("/register", result.returnTo)} prefetch={false} data-autofocus>
          Créer un compte
        </ButtonLink>
        <ButtonLink href={loginUrl(result.returnTo)} prefetch={false} variant="secondary">
          Se connecter
        </ButtonLink>
      </>
    );
  return (
    <>
      <ButtonLink href="/cart" prefetch={false} data-autofocus>
        Aller au panier
      </ButtonLink>
      <Button
        variant="secondary"
        onClick={() => {
          onPay?.();
          openCheckout({ atPayment: true });
        }}
      >
        Aller au paiement
      </Button>
      {result.kind !== "stayed" && (
        <Button variant="ghost" onClick={onStay}>
          {result.kind === "added" ? "Rester sur cette page" : "Continuer mes achats"}
        </Button>
      )}
    </>
  );
}
