import { CreditNoteLink } from "@/components/backoffice/shared/download-links";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/lib/dates";
import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { RefundJson } from "@/lib/refunds/resource";

const STATUSES = {
  pending: { label: "En attente", tone: "warning" },
  succeeded: { label: "Remboursé", tone: "success" },
  failed: { label: "Échoué", tone: "danger" },
} as const;

/** The refunds of an order, newest first. A failed refund may be tried again. */
export function RefundList({
  refunds,
  onRetry,
}: {
  refunds: readonly RefundJson[];
  /** Null if nothing is left to be given back. */
  onRetry: ((refund: RefundJson) => void) | null;
}) {
  return (
    <section aria-label="Remboursements de cette commande" className="flex flex-col gap-3">
      <h3 className="font-semibold">Remboursements</h3>
      <ul className="divide-y divide-line border-line border-y">
        {refunds.map((refund) => (
          <li key={refund.id} className="flex flex-col gap-1 py-3">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <strong className="tabular-nums">{formatAmount(refund.amount)}</strong>
              <Badge tone={STATUSES[refund.status].tone}>{STATUSES[refund.status].label}</Badge>
              <time dateTime={refund.createdAt} className="text-muted text-sm">
                {formatDateTime(refund.createdAt)}
              </time>
              {refund.creditNoteId !== null && (
                <CreditNoteLink id={refund.creditNoteId} number={refund.creditNoteNumber} />
              )}
              {refund.status === "failed" && refund.origin === "staff" && onRetry && (
                <Button variant="secondary" size="sm" onClick={() => onRetry(refund)}>
                  Reprendre ce remboursement
                </Button>
              )}
            </p>
            <p className="text-muted text-sm">{summaryOf(refund)}</p>
            {refund.failure && <p className="text-danger text-sm">{refund.failure}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function summaryOf({ items, shipping, deduction, reason, author }: RefundJson): string {
  return [
    ...items.map(({ name, quantity }) => `${formatNumber(quantity)}\u00a0×\u00a0${name}`),
    ...(shipping > 0 ? ["Livraison"] : []),
    ...(deduction > 0 ? [`Déduction de ${formatAmount(deduction)}`] : []),
    reason,
    ...(author ? [`${author.lastname} ${author.name}`] : []),
  ].join(" – ");
}
