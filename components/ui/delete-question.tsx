"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { ApiError } from "@/lib/api-client";

interface DeleteQuestionProps {
  /** What goes, and what stays. */
  children: ReactNode;
  /** Deletes, and shows what came of it. @throws ApiError */
  onConfirm: () => Promise<void>;
  onCancel: () => void;
  /** What is said where it could not be deleted. */
  failure: string;
}

/** What a modal asks before something is deleted; it stays open until that is done. */
export function DeleteQuestion({ children, onConfirm, onCancel, failure }: DeleteQuestionProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  async function confirm() {
    setIsBusy(true);
    setResult(null);
    try {
      await onConfirm();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      setResult({ kind: "error", text: failure });
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {children}
      <FormAlert id="delete-result" result={result} />
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
