"use client";

import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { useCall } from "@/components/ui/use-call";
import { singleLine } from "@/lib/text/text-field";
import { settleWithdrawal } from "@/lib/withdrawals/admin-client";
import { REFUSAL_REASON_LENGTH } from "@/lib/withdrawals/rules";
import { REASON_REQUIRED, REFUSAL_FAILED } from "@/lib/withdrawals/texts";
import type { WithdrawalRow } from "./withdrawals-screen";

interface RefusalDialogProps {
  withdrawal: WithdrawalRow;
  onDone: (refused: WithdrawalRow) => void;
  onClose: () => void;
}

/** Asks for the reason why a withdrawal is refused; the buyer is told the reason. */
export function RefusalDialog({
  withdrawal: { id, order, buyer },
  onDone,
  onClose,
}: RefusalDialogProps) {
  const [reason, setReason] = useState("");
  const { isBusy, problem, setProblem, run } = useCall(
    ({ sentence }) => sentence || REFUSAL_FAILED,
  );
  const form = useFocusOnError(problem);

  function send(event: FormEvent) {
    event.preventDefault();
    if (singleLine(reason) === "") return setProblem(REASON_REQUIRED);
    void run(async () =>
      onDone(await settleWithdrawal<WithdrawalRow>({ id, json: { state: "refused", reason } })),
    );
  }

  return (
    <FormDialog
      isDirty={singleLine(reason) !== ""}
      isBusy={isBusy}
      onClose={onClose}
      title={`Refuser la rétractation de ${order.number}`}
    >
      <form
        ref={form}
        className="flex flex-col gap-5 overflow-y-auto px-6 py-5"
        onSubmit={send}
        noValidate
      >
        <TextareaField
          label="Motif du refus"
          hint={buyer ? "Le client le reçoit par e-mail." : "Le compte du client est effacé."}
          required
          rows={3}
          maxLength={REFUSAL_REASON_LENGTH}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={problem}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose} disabled={isBusy}>
            Annuler
          </Button>
          <Button type="submit" variant="danger" busy={isBusy} pendingLabel="Refus en cours...">
            Refuser
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
