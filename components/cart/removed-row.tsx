"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { Button } from "@/components/ui/button";
import { useCall } from "@/components/ui/use-call";
import type { CartItemJson } from "@/lib/cart/rules";

/** Milliseconds in which a removal can be undone. */
const LIFETIME = 6000;
/** Milliseconds until a keyboard user, whose focus is on the button, is looked at again. */
const RECHECK = 1000;

interface RemovedRowProps {
  item: CartItemJson;
  onUndo: () => Promise<void>;
  /** The time to undo is over. */
  onExpire: (options: { hadFocus: boolean }) => void;
}

/**
 * In the place of an item that was just removed from the cart, for 6 seconds, or as long as a keyboard user is
 * on its button. Does not repeat the product's name: the product is no longer in the list.
 */
export function RemovedRow({ item: { product }, onUndo, onExpire }: RemovedRowProps) {
  const undoing = useCall(() => null);
  const button = useRef<HTMLButtonElement>(null);
  const expire = useEffectEvent(() => {
    if (undoing.isBusy || button.current?.matches(":focus-visible")) return false;
    onExpire({ hadFocus: document.activeElement === button.current });
    return true;
  });

  useEffect(() => {
    // The pressed button 'Supprimer' has disappeared.
    button.current?.focus({ preventScroll: true });
    let timer = setTimeout(function check() {
      if (!expire()) timer = setTimeout(check, RECHECK);
    }, LIFETIME);
    return () => clearTimeout(timer);
  }, []);

  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5">
      <div className="size-9 shrink-0 overflow-hidden rounded-md bg-surface opacity-60">
        <ProductImage image={product.image} use="thumbnail" />
      </div>
      <p className="text-muted">Article retiré</p>
      <span aria-hidden="true">·</span>
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        className="-ml-2 text-accent underline underline-offset-4"
        aria-label={`Annuler le retrait de ${product.name}`}
        busy={undoing.isBusy}
        onClick={() => undoing.run(onUndo)}
      >
        Annuler
      </Button>
    </li>
  );
}
