import { listRows } from "@/lib/backoffice/client";
import { formatDateTime } from "@/lib/dates";
import { isSameTracking } from "@/lib/shipments/rules";
import { ConfirmDialog } from "./dialog";
import { fullName } from "./options";
import type { OrderRow } from "./ship-dialog";

/** Another order that has a parcel with the tracking number that was typed. */
export interface SameTracking {
  order: OrderRow;
  parcel: OrderRow["shipments"][number];
}

/** The newest other order that has a parcel with this number; null for none. @throws ApiError */
export async function findSameTracking({
  orderId,
  trackingNumber,
}: {
  orderId: number;
  trackingNumber: string;
}): Promise<SameTracking | null> {
  if (trackingNumber.trim() === "") return null;
  const query = new URLSearchParams({ search: trackingNumber });
  // It also finds orders of which the number is a part.
  const { rows } = await listRows<OrderRow>(`/api/admin_orders?${query}`);
  for (const order of rows) {
    const parcel = order.shipments.find((each) =>
      isSameTracking(each.trackingNumber, trackingNumber),
    );
    if (parcel && order.id !== orderId) return { order, parcel };
  }
  return null;
}

interface SameTrackingQuestionProps {
  /** Null where there is nothing to ask. */
  same: SameTracking | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before a number goes to a second buyer: a scanner may have read one label twice, but one parcel may also
 * hold two orders. The focus is on the button that cancels, so that a scanner's next Enter sends nothing.
 */
export function SameTrackingQuestion({ same, onConfirm, onCancel }: SameTrackingQuestionProps) {
  return (
    <ConfirmDialog
      open={same !== null}
      title="Expédier avec le même numéro de suivi&#8239;?"
      confirmLabel="Expédier quand même"
      cancelLabel="Corriger le numéro"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {same && (
        <>
          {`Le numéro ${same.parcel.trackingNumber} est déjà celui d’un colis de la commande `}
          <strong className="whitespace-nowrap text-ink">{same.order.number}</strong>
          {` (${fullName(same.order.user ?? same.order.buyer)}), expédié le ${formatDateTime(same.parcel.shippedAt)}. Si vous confirmez, ce numéro sera envoyé par e-mail au client.`}
        </>
      )}
    </ConfirmDialog>
  );
}
