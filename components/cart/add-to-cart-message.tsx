"use client";

import { type ReactNode, useEffect, useRef } from "react";
import type { AddResult } from "@/components/cart/add-product";
import { ProductImage } from "@/components/catalogue/product-image";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { CheckCircleIcon } from "@/components/ui/icons";
import { ADDED, ADDED_REDIRECTING, LOGIN_TO_ADD } from "@/lib/cart/addition-texts";
import { guestUrl, loginUrl } from "@/lib/guards";

interface AddToCartMessageProps {
  result: AddResult | null;
  /** The product's picture. */
  image: string | null;
  /** Stays on the page instead of opening the cart. */
  onStay: () => void;
}

/**
 * The outcome of a click on 'Ajouter au panier', with the next steps. Scrolls into view, since the button may
 * be at the bottom of the screen or in a bar. The first step takes the focus from the button.
 */
export function AddToCartMessage({ result, image, onStay }: AddToCartMessageProps) {
  const message = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (result === null) return;
    message.current?.scrollIntoView({ block: "nearest" });
    if (result.kind === "added" || result.kind === "logged-out")
      message.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [result]);

  return (
    <>
      {/* A live region must exist before its content changes, or it may not be announced. */}
      <div aria-live="polite" className="empty:absolute">
        {result && result.kind !== "failed" && (
          <div ref={message} className="scroll-mb-4">
            <Panel image={image} result={result}>
              <Steps result={result} onStay={onStay} />
            </Panel>
          </div>
        )}
      </div>
      {result?.kind === "failed" && (
        <div ref={message} className="scroll-mb-4">
          <Alert kind="error">{result.text}</Alert>
        </div>
      )}
    </>
  );
}

type PanelResult = Exclude<AddResult, { kind: "failed" }>;

const SENTENCES: Record<PanelResult["kind"], string> = {
  added: ADDED_REDIRECTING,
  stayed: ADDED,
  listed: ADDED,
  "logged-out": LOGIN_TO_ADD,
};

interface PanelProps {
  image: string | null;
  result: PanelResult;
  children: ReactNode;
}

function Panel({ image, result: { kind }, children }: PanelProps) {
  return (
    <div className="rounded-lg border border-line p-4">
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
      <div className="mt-4 flex flex-wrap gap-2 *:flex-1">{children}</div>
    </div>
  );
}

function Steps({ result, onStay }: { result: PanelResult; onStay: () => void }) {
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
      {result.kind !== "stayed" && (
        <Button variant="secondary" onClick={onStay}>
          {result.kind === "added" ? "Rester sur cette page" : "Continuer mes achats"}
        </Button>
      )}
    </>
  );
}
