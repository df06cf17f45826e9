"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { useModalLock } from "@/components/ui/modal-lock";
import { ApiError } from "@/lib/api-error";

interface DeleteConfirmationProps {
  /** What goes, and what stays. */
  children: ReactNode;
  /** Deletes, and shows the result. @throws ApiError */
  onConfirm: () => Promise<void>;
  onCancel: () => void;
  /** The sentence for a deletion that failed. */
  failure: string;
}

/** The content of a modal that asks before something is deleted, and stays open until it is. */
export function DeleteConfirmation({
  children,
  onConfirm,
  onCancel,
  failure,
}: DeleteConfirmationProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);
  useModalLock(isBusy);

  async function confirm() {
    setIsBusy(true);
    setResult(null);
    try {
      await onConfirm();
    } catch (error) {
      // The page is navigating away: it stays busy.
      if (error instanceof ApiError && error.isSessionOver) return;
      setResult({ kind: "error", text: failure });
      setIsBusy(false);
      if (!(error instanceof ApiError)) throw error;
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {children}
      <FormAlert result={result} />
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
