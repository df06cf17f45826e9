"use client";

import { DeleteConfirmation } from "@/components/ui/delete-confirmation";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { deleteReview } from "@/lib/reviews/client";
import { DELETE_FAILED } from "@/lib/reviews/texts";

interface DeleteReviewProps {
  id: number;
  onDeleted: () => void;
  onCancel: () => void;
}

export function DeleteReview({ id, onDeleted, onCancel }: DeleteReviewProps) {
  async function confirm() {
    await deleteReview(id);
    trackEvent({ ...EVENTS.deletion, name: "avis" });
    onDeleted();
  }
  return (
    <DeleteConfirmation onConfirm={confirm} onCancel={onCancel} failure={DELETE_FAILED}>
      <p>Votre avis et sa note seront retirés de la boutique. Vous pourrez en écrire un autre.</p>
    </DeleteConfirmation>
  );
}
