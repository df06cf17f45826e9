"use client";

import { useEffect, useRef, useState } from "react";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { FORM_KEY, sentencesOf } from "@/components/backoffice/forms/form-errors";
import { Alert } from "@/components/ui/alert";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Spinner } from "@/components/ui/spinner";
import { useCall } from "@/components/ui/use-call";
import { useLoaded } from "@/components/ui/use-loaded";
import { ApiError } from "@/lib/api-error";
import { formatAmount } from "@/lib/money";
import { getOrderRefunds, newRefundKey, sendRefund } from "@/lib/refunds/client";
import type { OrderRefundsJson, RefundJson } from "@/lib/refunds/resource";
import { ALL_REFUNDED, NOT_PAID_BY_CARD } from "@/lib/refunds/texts";
import { type Choice, choiceOf, initialChoice, type Preselected, requestOf } from "./refund-choice";
import { RefundForm } from "./refund-form";
import { RefundList } from "./refund-list";

const FAILED =
  "Le remboursement n’a pas pu être demandé. Réessayez\u00a0: rien ne sera rendu deux fois.";

interface RefundDialogProps {
  orderId: number;
  preselected?: Preselected;
  /** Called when a refund was made or is under way. */
  onDone: (refund: RefundJson) => void;
  onClose: () => void;
}

/** The refunds of an order, and a form that gives back pieces, the shipping or an amount. */
export function RefundDialog({ orderId, preselected, onDone, onClose }: RefundDialogProps) {
  const { data, failure, isLoading, mutate } = useLoaded(
    ["/api/admin_orders/refunds", orderId],
    () => getOrderRefunds(orderId),
    // After a lost response the form must send the same request: the amount depends on what is left.
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  const [isDirty, setIsDirty] = useState(false);
  return (
    <FormDialog
      isDirty={isDirty}
      isBusy={false}
      onClose={onClose}
      size="lg"
      title={data ? `Rembourser la commande ${data.number}` : "Rembourser la commande"}
    >
      <div className="flex flex-col gap-6 overflow-y-auto px-6 py-5">
        {isLoading && <Spinner label="Chargement des remboursements" />}
        {failure && (
          <RetryAlert
            message={failure.sentence || "Les remboursements n’ont pas pu être chargés."}
            onRetry={() => mutate()}
          />
        )}
        {data && (
          <Refunding
            order={data}
            preselected={preselected}
            onTyped={setIsDirty}
            onSent={(refund) => {
              if (refund.status !== "failed") onDone(refund);
              return mutate();
            }}
            onRefused={() => mutate()}
          />
        )}
      </div>
    </FormDialog>
  );
}

interface RefundingProps {
  order: OrderRefundsJson;
  preselected: Preselected | undefined;
  /** Tells whether typed values are not sent yet. */
  onTyped: (isTyped: boolean) => void;
  /** Returns the order after the refund. */
  onSent: (refund: RefundJson) => Promise<OrderRefundsJson | undefined>;
  /** Called when less is left than shown: somebody else has made a refund meanwhile. */
  onRefused: () => Promise<unknown>;
}

function Refunding({ order, preselected, onTyped, onSent, onRefused }: RefundingProps) {
  const [choice, setChoice] = useState<Choice>(() => initialChoice(order.left, preselected));
  const { isBusy, problem, setProblem, run } = useCall((error) =>
    sentencesOf(error, { fields: /^(amount|reason)$/, failed: FAILED }),
  );
  const [sent, setSent] = useState<RefundJson | null>(null);
  // The same form is the same refund, as long as the refund's outcome is unknown.
  const pending = useRef<{ body: string; key: string } | null>(null);

  async function send() {
    const request = requestOf(choice, order.left);
    const body = JSON.stringify(request);
    if (pending.current?.body !== body) pending.current = { body, key: newRefundKey() };
    setSent(null);
    const { key } = pending.current;
    const refund = await sendRefund({ orderId: order.id, key, request }).catch(
      async (error: unknown) => {
        if (error instanceof ApiError && error.status === 409) await onRefused();
        throw error;
      },
    );
    pending.current = null;
    setSent(refund);
    const isFailed = refund.status === "failed";
    // Before the order is read again: closing the dialog meanwhile must not ask about sent values.
    if (!isFailed) onTyped(false);
    const after = await onSent(refund);
    if (!isFailed) setChoice(initialChoice((after ?? order).left));
  }

  function change(next: Choice) {
    // The refused amount may belong to other pieces.
    setProblem(null);
    onTyped(true);
    setChoice(next);
  }

  const isOpen = order.isPaid && order.left.amount > 0;
  return (
    <>
      <p>
        {[
          order.refundedTotal > 0 && `Déjà rendu\u00a0: ${formatAmount(order.refundedTotal)}.`,
          isOpen && `Il reste ${formatAmount(order.left.amount)} à rembourser au plus.`,
          !order.isPaid && NOT_PAID_BY_CARD,
          order.isPaid && order.left.amount <= 0 && ALL_REFUNDED,
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
      {sent && <Outcome refund={sent} />}
      {!isOpen && problem?.[FORM_KEY] && <Alert kind="error">{problem[FORM_KEY]}</Alert>}
      {isOpen && (
        <RefundForm
          left={order.left}
          choice={choice}
          problems={problem}
          isSending={isBusy}
          onChange={change}
          onSubmit={() => void run(send)}
        />
      )}
      {order.refunds.length > 0 && (
        <RefundList
          refunds={order.refunds}
          onRetry={isOpen ? (refund) => change(choiceOf(refund, order.left)) : null}
        />
      )}
    </>
  );
}

/** The outcome of the refund. Scrolls into view, since the button is below all items. */
function Outcome({ refund }: { refund: RefundJson }) {
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refund
  useEffect(() => {
    element.current?.scrollIntoView({ block: "nearest" });
  }, [refund.id]);
  return (
    <div ref={element}>
      <OutcomeText {...refund} />
    </div>
  );
}

function OutcomeText({ amount, status, creditNoteNumber, failure }: RefundJson) {
  if (status === "failed")
    return (
      <Alert kind="error">
        {`Le remboursement de ${formatAmount(amount)} a échoué\u00a0: ${failure}`}
      </Alert>
    );
  return status === "pending" ? (
    <Alert kind="info">
      {`Le remboursement de ${formatAmount(amount)} est enregistré et en attente\u00a0: il se fera sans autre demande.`}
    </Alert>
  ) : (
    <Alert kind="success">
      {`${formatAmount(amount)} remboursés. L’avoir ${creditNoteNumber} est envoyé au client.`}
    </Alert>
  );
}
