"use client";

import type { AddResult } from "@/components/cart/add-product";
import { AddToCartMessage } from "@/components/cart/add-to-cart-message";
import { Modal } from "@/components/ui/modal";

export { addProduct } from "@/components/cart/add-product";

interface QuickAddDialogProps {
  name: string;
  image: string | null;
  result: AddResult;
  onClose: () => void;
}

/** The outcome of a quick addition, with the next steps. */
export function QuickAddDialog({ name, image, result, onClose }: QuickAddDialogProps) {
  const shown: AddResult = result.kind === "added" ? { kind: "listed" } : result;
  return (
    <Modal open onClose={onClose} title={name}>
      <AddToCartMessage result={shown} image={image} onStay={onClose} />
    </Modal>
  );
}
