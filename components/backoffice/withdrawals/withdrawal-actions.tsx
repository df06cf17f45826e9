"use client";

import { Ban, Check, History, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { mutate } from "swr";
import { RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { HistoryDialog } from "@/components/backoffice/crud/history-dialog";
import { ConfirmDialog } from "@/components/backoffice/forms/dialog";
import { RefundDialog } from "@/components/backoffice/refunds/refund-dialog";
import { getRow } from "@/lib/backoffice/client";
import type { RefundJson } from "@/lib/refunds/resource";
import { OPEN_WITHDRAWALS, settleWithdrawal } from "@/lib/withdrawals/admin-client";
import { itemsToRefund, objectsNamed } from "@/lib/withdrawals/rules";
import { RefusalDialog } from "./refusal-dialog";
import type { WithdrawalRow } from "./withdrawals-screen";

/** The ways to settle a received withdrawal, each with its dialog. */
const SETTLEMENTS = [
  { dialog: "refund", label: "Rembourser", Icon: Undo2 },
  { dialog: "elsewhere", label: "Remboursée autrement", Icon: Check },
  { dialog: "refusal", label: "Refuser", Icon: Ban, className: "text-danger!" },
] as const;

type OpenDialog = (typeof SETTLEMENTS)[number]["dialog"] | "history" | null;

interface WithdrawalActionsProps {
  withdrawal: WithdrawalRow;
  tools: ActionTools;
}

/** The ways to settle a withdrawal, and its history. */
export function WithdrawalActions({ withdrawal, tools }: WithdrawalActionsProps) {
  const { id, order, state, items, orderItems } = withdrawal;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  /** The order has cost nothing: there is nothing to refund. */
  const isFree = order.total === 0;
  const refund = useRef<RefundJson | null>(null);

  async function finish(change: Promise<void>) {
    setDialog(null);
    await change;
    await mutate(OPEN_WITHDRAWALS);
  }

  /** If the shop cannot read which items are meant, admins could: their refund of items settles the withdrawal. */
  function isAnsweredByAdmin(): boolean {
    const { status, items: refunded = [] } = refund.current ?? {};
    return (
      status === "succeeded" &&
      refunded.length > 0 &&
      Boolean(items) &&
      objectsNamed(items, orderItems).length === 0
    );
  }

  /** Reads the withdrawal again: a refund of all that it is about settles it automatically. */
  function closeRefund() {
    if (!refund.current) return setDialog(null);
    const reread = async () => {
      const now = await getRow<WithdrawalRow>(`/api/withdrawals/${id}`);
      if (now.state !== "received" || !isAnsweredByAdmin()) return now;
      return settleWithdrawal<WithdrawalRow>({ id, json: { state: "refunded" } });
    };
    const textOf = (now: WithdrawalRow) =>
      now.state === "refunded" ? "Rétractation remboursée." : "Remboursement demandé.";
    void finish(tools.change(id, reread, (now) => ({ text: textOf(now) })));
  }

  function settle() {
    const save = () => settleWithdrawal({ id, json: { state: "refunded" } });
    const text = isFree ? "Rétractation réglée." : "Rétractation marquée comme remboursée.";
    void finish(tools.change(id, save, () => ({ text })));
  }

  return (
    <>
      {state === "received" &&
        SETTLEMENTS.map(({ dialog, ...button }) => (
          <RowButton
            key={dialog}
            {...button}
            label={isFree && dialog === "elsewhere" ? "Régler" : button.label}
            // There is nothing to refund for a deleted order, either.
            shown={dialog !== "refund" || (order.id !== null && !isFree)}
            disabled={tools.isBusy(id)}
            onClick={() => setDialog(dialog)}
          />
        ))}
      <RowButton label="Historique" Icon={History} onClick={() => setDialog("history")} />
      {dialog === "history" && (
        <HistoryDialog entity="Withdrawal" id={id} labels={{}} onClose={() => setDialog(null)} />
      )}
      {dialog === "refund" && order.id !== null && (
        <RefundDialog
          orderId={order.id}
          preselected={itemsToRefund({ items, orderItems, hasFiles: order.hasFiles })}
          onDone={(made) => {
            refund.current = made;
          }}
          onClose={closeRefund}
        />
      )}
      {dialog === "refusal" && (
        <RefusalDialog
          withdrawal={withdrawal}
          onDone={({ buyer }) => {
            const told = buyer ? " Le client en est informé." : "";
            void finish(tools.done(`Rétractation refusée.${told}`));
          }}
          onClose={() => setDialog(null)}
        />
      )}
      <ConfirmDialog
        open={dialog === "elsewhere"}
        title={
          isFree
            ? `La rétractation de ${order.number} est-elle réglée\u202f?`
            : `La rétractation de ${order.number} est-elle remboursée\u202f?`
        }
        confirmLabel={isFree ? "Oui, réglée" : "Oui, remboursée"}
        onConfirm={settle}
        onCancel={() => setDialog(null)}
      >
        {isFree
          ? "La commande était gratuite\u00a0: il n’y a rien à rembourser."
          : "Pour un remboursement fait autrement que par la boutique, par virement par exemple. La boutique ne rend rien et n’écrit pas d’avoir."}
      </ConfirmDialog>
    </>
  );
}
