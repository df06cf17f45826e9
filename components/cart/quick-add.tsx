"use client";

import { useState } from "react";
import type { AddResult } from "@/components/cart/add-product";
import type { QuickAddDialog } from "@/components/cart/quick-add-dialog";
import { BusyButton } from "@/components/ui/busy-button";
import { PlusIcon } from "@/components/ui/icons";
import { Spinner } from "@/components/ui/spinner";
import { type CardProduct, productUrl } from "@/lib/catalogue/rules";

interface QuickAddProps {
  product: CardProduct;
  /** The id of the element with the product's name. */
  nameId: string;
}

interface Outcome {
  result: AddResult;
  /** Loaded with the first click. */
  Dialog: typeof QuickAddDialog;
}

/**
 * The round button of a product's card: adds one piece without leaving the list. It is always visible on
 * touch screens, elsewhere while the card has the pointer or the button the focus. What it does is loaded
 * with the first click; if that fails, the product's page opens instead.
 */
export function QuickAdd({ product, nameId }: QuickAddProps) {
  const { id, name, image } = product;
  const [isAdding, setIsAdding] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isOpen, setOpen] = useState(false);

  async function add() {
    setIsAdding(true);
    try {
      const { addProduct, QuickAddDialog: Dialog } = await import(
        "@/components/cart/quick-add-dialog"
      );
      const result = await addProduct({ id, name, quantity: 1 });
      // The login is being loaded.
      if (result === null) return;
      setOutcome({ result, Dialog });
      setOpen(true);
    } catch {
      window.location.assign(productUrl(product));
    }
    setIsAdding(false);
  }

  return (
    <>
      {/* As large as the picture. */}
      <div className="pointer-events-none absolute inset-x-0 top-0 aspect-square">
        <BusyButton
          type="button"
          busy={isAdding}
          onClick={add}
          aria-label="Ajout rapide"
          aria-describedby={nameId}
          className="card-add"
        >
          {isAdding ? <Spinner size={18} /> : <PlusIcon size={20} />}
        </BusyButton>
      </div>
      {outcome && (
        <outcome.Dialog
          open={isOpen}
          name={name}
          image={image}
          result={outcome.result}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
