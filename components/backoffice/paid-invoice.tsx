"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "./dialog";
import { RefundDialog } from "./refund-dialog";

interface PaidInvoiceProps {
  invoice: { number: string; order: { id: number; number: string } | null };
  onDone: () => void;
  onClose: () => void;
}

/** In place of the form of an invoice whose payment exists: a credit note corrects it. */
export function PaidInvoice({ invoice: { number, order }, onDone, onClose }: PaidInvoiceProps) {
  const [isRefunding, setIsRefunding] = useState(false);
  if (isRefunding && order)
    return <RefundDialog orderId={order.id} onDone={onDone} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={`Facture ${number}`}>
      <div className="flex flex-col gap-5 px-6 py-5">
        <p>
          Cette facture est payée{"\u00a0"}: elle ne se modifie plus. Un avoir la corrige, en
          remboursant <span>{order ? `la commande ${order.number}` : "le paiement"}</span> en tout
          ou en partie.
        </p>
        {!order && (
          <p className="text-muted">
            Elle n’a pas (ou plus) de commande. Si elle a été payée par carte, remboursez-la chez le
            prestataire de paiement{"\u00a0"}: l’avoir s’établit de lui-même. Sinon, établissez
            l’avoir hors de la boutique, qui ne rend que les paiements par carte.
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          {order && <Button onClick={() => setIsRefunding(true)}>Établir un avoir</Button>}
        </div>
      </div>
    </Dialog>
  );
}
