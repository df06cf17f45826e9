"use client";

import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ModalActions } from "@/components/ui/modal";
import { useModalLock } from "@/components/ui/modal-lock";
import { useCall } from "@/components/ui/use-call";

interface DeleteConfirmationProps {
  /** Says what is deleted and what is kept. */
  children: ReactNode;
  /** Deletes, and shows the result. @throws ApiError */
  onConfirm: () => Promise<void>;
  onCancel: () => void;
  /** The message when the deletion has failed. */
  failure: string;
}

/** The content of a modal that asks for confirmation, and stays open while the deletion runs or has failed. */
export function DeleteConfirmation({
  children,
  onConfirm,
  onCancel,
  failure,
}: DeleteConfirmationProps) {
  const { isBusy, problem, run } = useCall(() => failure);
  useModalLock(isBusy);
  return (
    <div className="flex flex-col gap-5">
      {children}
      {problem && <Alert kind="error">{problem}</Alert>}
      <ModalActions>
        <Button variant="secondary" onClick={onCancel} disabled={isBusy} data-autofocus>
          Annuler
        </Button>
        <Button
          variant="danger"
          busy={isBusy}
          pendingLabel="Suppression en cours..."
          onClick={() => run(onConfirm)}
        >
          Supprimer
        </Button>
      </ModalActions>
    </div>
  );
}
