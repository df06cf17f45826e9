import { ConfirmDialog } from "@/components/backoffice/forms/dialog";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { trackingKey } from "@/lib/shipments/rules";
import type { OrderRow } from "./ship-dialog";

/** The orders that were shipped in this tab, by their parcels' tracking numbers. */
const shipped = new Map<string, OrderRow>();

export function noteShipped(order: OrderRow, trackingNumber: string): void {
  shipped.set(trackingKey(trackingNumber), order);
}

/** Another order shipped in this tab with the same tracking number, whatever its spaces, hyphens and case. */
export function shippedWith(order: OrderRow, trackingNumber: string): OrderRow | null {
  const other = shipped.get(trackingKey(trackingNumber));
  return trackingNumber.trim() !== "" && other && other.id !== order.id ? other : null;
}

interface DuplicateTrackingQuestionProps {
  trackingNumber: string;
  /** The other order with this number; null if there is nothing to ask. */
  other: OrderRow | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before a number is used for a second order: a scanner may have read one label twice, but one parcel may
 * also hold two orders. The focus is on the button that cancels, so that a scanner's next Enter sends nothing.
 */
export function DuplicateTrackingQuestion({
  trackingNumber,
  other,
  ...on
}: DuplicateTrackingQuestionProps) {
  return (
    <ConfirmDialog
      open={other !== null}
      title="Expédier avec le même numéro de suivi&#8239;?"
      confirmLabel="Expédier quand même"
      cancelLabel="Corriger le numéro"
      {...on}
    >
      {other && (
        <span>
          Vous avez déjà expédié la commande{" "}
          <strong className="whitespace-nowrap text-ink">{other.number}</strong>
          <span>{` (${fullName(other.user ?? other.buyer)}) avec le numéro ${trackingNumber}. Si vous confirmez, ce numéro sera envoyé par e-mail au client.`}</span>
        </span>
      )}
    </ConfirmDialog>
  );
}
