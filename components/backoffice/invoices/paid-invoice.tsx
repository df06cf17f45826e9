"use client";

import { useState } from "react";
import { RefundDialog } from "@/components/backoffice/refunds/refund-dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { formatLongDate } from "@/lib/dates";

interface PaidInvoiceProps {
  invoice: {
    order: { id: number } | null;
    date: string;
    /** The date of the present version; null if it is still the version first issued. */
    correctedAt: string | null;
  };
  /** Called when a refund was made from the form. */
  onRefunded: () => void;
}

/** The notice in the form of a paid invoice: money is given back by a refund, not by another total. */
export function PaidInvoice({
  invoice: { order, date, correctedAt },
  onRefunded,
}: PaidInvoiceProps) {
  const [isRefunding, setIsRefunding] = useState(false);
  return (
    <Alert kind="info" live={false}>
      <div className="flex flex-col gap-3 whitespace-normal">
        <p>
          Cette facture est payée{"\u00a0"}: l’argent se rend par un remboursement, qui établit un
          avoir.
        </p>
        {order ? (
          <Button
            variant="secondary"
            size="sm"
            className="w-fit"
            onClick={() => setIsRefunding(true)}
          >
            Établir un avoir
          </Button>
        ) : (
          <p>
            Elle n’a pas (ou plus) de commande. Si elle a été payée par carte, remboursez-la chez le
            prestataire de paiement{"\u00a0"}: l’avoir s’établit de lui-même. Sinon, établissez
            l’avoir hors de la boutique, qui ne rend que les paiements par carte.
          </p>
        )}
        <p>
          {`La modifier établit une facture rectificative, qui annule et remplace la version du ${formatLongDate(correctedAt ?? date)} sans rendre d’argent.`}
        </p>
      </div>
      {isRefunding && order && (
        <RefundDialog
          orderId={order.id}
          onDone={onRefunded}
          onClose={() => setIsRefunding(false)}
        />
      )}
    </Alert>
  );
}
