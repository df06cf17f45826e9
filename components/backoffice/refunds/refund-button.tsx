"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { formatAmount } from "@/lib/money";
import { RefundDialog } from "./refund-dialog";

interface RefundButtonProps {
  order: { id: number; isRefundable: boolean };
  tools: ActionTools;
}

/** Opens the refunds of an order that was paid by card, even if all of it was given back. */
export function RefundButton({ order: { id, isRefundable }, tools }: RefundButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RowButton
        shown={isRefundable}
        label="Rembourser"
        Icon={Undo2}
        disabled={tools.isBusy(id)}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <RefundDialog
          orderId={id}
          onDone={({ amount }) =>
            void tools.done(`Remboursement de ${formatAmount(amount)} enregistré.`)
          }
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
