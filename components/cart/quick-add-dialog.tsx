"use client";

import type { AddResult } from "@/components/cart/add-product";
import { AdditionPanel } from "@/components/cart/addition-panel";
import { Alert } from "@/components/ui/alert";
import { Modal } from "@/components/ui/modal";

export { addProduct } from "@/components/cart/add-product";

interface QuickAddDialogProps {
  open: boolean;
  name: string;
  image: string | null;
  result: AddResult;
  onClose: () => void;
}

/** The outcome of a quick addition, with the next steps. */
export function QuickAddDialog({ open, name, image, result, onClose }: QuickAddDialogProps) {
  return (
    <Modal open={open} onClose={onClose} title={name}>
      {result.kind === "failed" ? (
        <Alert kind="error">{result.text}</Alert>
      ) : (
        <AdditionPanel
          result={result.kind === "added" ? { kind: "listed" } : result}
          image={image}
          onStay={onClose}
        />
      )}
    </Modal>
  );
}
