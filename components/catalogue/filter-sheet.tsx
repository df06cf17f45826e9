"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Modal } from "@/components/ui/modal";

type FilterSheetProps = {
  open: boolean;
  title: string;
  /** 'Voir 12 produits'. */
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
};

/** The filters, or the sorts, of the catalogue in a dialog at the lower edge of a phone. */
export function FilterSheet({ open, title, closeLabel, onClose, children }: FilterSheetProps) {
  return (
    <Modal open={open} onClose={onClose} title={title} size="sheet">
      {children}
      <div className="sticky bottom-0 -mx-6 mt-6 -mb-6 border-line border-t bg-bg px-6 py-3">
        <Button onClick={onClose} block>
          {/* The width fits any count, and the key replaces the element: a new count moves nothing. */}
          <span key={closeLabel} className="min-w-56">
            {closeLabel}
          </span>
        </Button>
      </div>
    </Modal>
  );
}
