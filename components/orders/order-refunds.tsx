"use client";

import { DownloadButton } from "@/components/orders/download-button";
import { Alert } from "@/components/ui/alert";
import { Price } from "@/components/ui/price";
import { useCall } from "@/components/ui/use-call";
import { downloadCreditNote } from "@/lib/credit-notes/client";
import { formatLongDate } from "@/lib/dates";
import type { OrderJson } from "@/lib/orders/client";
import { CREDIT_NOTE_FAILED } from "@/lib/orders/texts";

type RefundJson = OrderJson["refunds"][number];

/** The refunds of an order, each with its credit note; nothing if there are none. */
export function OrderRefunds({ order: { refunds, refundedTotal } }: { order: OrderJson }) {
  if (refunds.length === 0) return null;
  return (
    <section aria-label="Remboursements" className="flex flex-col gap-3">
      <h3 className="font-semibold">Remboursements</h3>
      <ul className="divide-y divide-line border-line border-y">
        {refunds.map((refund) => (
          <Refund key={refund.id} refund={refund} />
        ))}
      </ul>
      {refunds.length > 1 && refundedTotal > 0 && (
        <p className="flex items-baseline gap-3">
          Total remboursé <Price euros={refundedTotal} className="font-semibold" />
        </p>
      )}
    </section>
  );
}

function Refund({ refund }: { refund: RefundJson }) {
  const { amount, status, reason, createdAt, creditNoteId, creditNoteNumber } = refund;
  const { isBusy, problem, run } = useCall(() => CREDIT_NOTE_FAILED);
  return (
    <li className="flex flex-col gap-2 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <p>
            <Price euros={amount} className="font-semibold" />{" "}
            <span>{`${status === "pending" ? "en cours de remboursement" : "remboursés"} le ${formatLongDate(createdAt)}`}</span>
          </p>
          <p className="text-muted text-sm">
            {creditNoteNumber ? `${reason} – avoir ${creditNoteNumber}` : reason}
          </p>
        </div>
        {creditNoteId !== null && (
          <DownloadButton busy={isBusy} onClick={() => run(() => downloadCreditNote(creditNoteId))}>
            Télécharger l’avoir
          </DownloadButton>
        )}
      </div>
      {problem && <Alert kind="error">{problem}</Alert>}
    </li>
  );
}
