"use client";

import { lazy, Suspense, useState } from "react";
import type { AddResult } from "@/components/cart/add-product";
import { BusyButton } from "@/components/ui/busy-button";
import { PlusIcon } from "@/components/ui/icons";
import { Spinner } from "@/components/ui/spinner";
import { type CardProduct, productUrl } from "@/lib/catalogue/rules";

const load = () => import("@/components/cart/quick-add-dialog");
const QuickAddDialog = lazy(async () => ({ default: (await load()).QuickAddDialog }));

/**
 * The round button of a product's card: adds one piece without leaving the list. It is always visible on
 * touch screens, elsewhere while the card has the pointer or the button the focus. What it does is loaded
 * with the first click; if that fails, the product's page opens instead.
 */
export function QuickAdd({ product }: { product: CardProduct }) {
  const { id, name, image } = product;
  const [isAdding, setIsAdding] = useState(false);
  const [result, setResult] = useState<AddResult | null>(null);

  async function add() {
    setIsAdding(true);
    try {
      const { addProduct } = await load();
      setResult(await addProduct({ id, name, quantity: 1 }));
    } catch {
      window.location.assign(productUrl(product));
    }
    setIsAdding(false);
  }

  return (
    <>
      <BusyButton
        type="button"
        busy={isAdding}
        onClick={add}
        aria-label={`Ajout rapide\u00a0: ${name}`}
        className="pointer-events-auto absolute right-2 bottom-2 z-10 grid size-10 place-items-center rounded-full border border-line bg-bg text-ink shadow-sm transition-opacity hover:border-accent hover:text-accent focus-visible:opacity-100 group-hover:opacity-100 aria-busy:opacity-100 print:hidden noscript:hidden [@media(hover:hover)]:opacity-0"
      >
        {isAdding ? <Spinner size={18} /> : <PlusIcon size={20} />}
      </BusyButton>
      {result && (
        <Suspense fallback={null}>
          <QuickAddDialog
            name={name}
            image={image}
            result={result}
            onClose={() => setResult(null)}
          />
        </Suspense>
      )}
    </>
  );
}
