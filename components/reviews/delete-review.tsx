"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { ApiError } from "@/lib/api-client";
import { deleteReview } from "@/lib/reviews/client";
import { DELETE_FAILED } from "@/lib/reviews/texts";

interface DeleteReviewProps {
  id: number;
  onDeleted: () => void;
  onCancel: () => void;
}

export function DeleteReview({ id, onDeleted, onCancel }: DeleteReviewProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  async function confirm() {
    setIsBusy(true);
    setResult(null);
    try {
      await deleteReview(id);
      trackEvent({ ...EVENTS.deletion, name: "avis" });
      onDeleted();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      setResult({ kind: "error", text: DELETE_FAILED });
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <p>Votre avis et sa note seront retirés de la boutique. Vous pourrez en écrire un autre.</p>
      <FormAlert id="delete-review-result" result={result} />
      <ModalActions>
        <Button variant="secondary" onClick={onCancel} disabled={isBusy} data-autofocus>
          Annuler
        </Button>
        <Button
          variant="danger"
          busy={isBusy}
          pendingLabel="Suppression en cours..."
          onClick={confirm}
        >
          Supprimer
        </Button>
      </ModalActions>
    </div>
  );
}
