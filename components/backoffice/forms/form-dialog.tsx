"use client";

import { type ComponentProps, useEffect, useState } from "react";
import { registerDirtyForm } from "@/lib/browser/drafts";
import { ConfirmDialog, Dialog } from "./dialog";
import { useLeaveGuard } from "./use-leave-guard";

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, "open" | "onEscape"> {
  /** The form has typed values that are not saved. */
  isDirty: boolean;
  isBusy: boolean;
}

/**
 * A dialog with a form. Escape and the browser's Back are easily pressed by mistake: they ask before
 * they discard what was typed.
 */
export function FormDialog({ isDirty, isBusy, onClose, children, ...props }: FormDialogProps) {
  /** Set while the dialog asks. If Back was pressed, `go` leaves the page once typed values are discarded. */
  const [leaving, setLeaving] = useState<{ go?: () => void } | null>(null);
  useLeaveGuard(isDirty, (go) => setLeaving({ go }));
  useEffect(() => (isDirty ? registerDirtyForm(() => true) : undefined), [isDirty]);

  function close() {
    if (!isBusy) onClose();
  }

  return (
    <Dialog
      {...props}
      open
      onClose={close}
      onEscape={() => (isDirty && !isBusy ? setLeaving({}) : close())}
    >
      {children}
      <ConfirmDialog
        open={leaving !== null}
        title="Abandonner les modifications&#8239;?"
        confirmLabel="Abandonner"
        cancelLabel="Continuer la saisie"
        onConfirm={() => {
          onClose();
          leaving?.go?.();
        }}
        onCancel={() => setLeaving(null)}
      >
        Ce que vous avez saisi n’est pas enregistré.
      </ConfirmDialog>
    </Dialog>
  );
}
