"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CheckboxField } from "@/components/ui/field";
import { QuantityInput } from "@/components/ui/quantity-input";
import { useCall } from "@/components/ui/use-call";
import { useDraft } from "@/components/ui/use-draft";
import { ApiError } from "@/lib/api-error";
import { productTypeOf } from "@/lib/catalogue/rules";
import { formatDateTime } from "@/lib/dates";
import type { OrderJson } from "@/lib/orders/client";
import { sendWithdrawal } from "@/lib/withdrawals/client";
import { isWithinPeriod, itemsText } from "@/lib/withdrawals/rules";
import { NO_OBJECT, WITHDRAWAL_FAILED } from "@/lib/withdrawals/texts";

type OrderItem = OrderJson["items"][number];

type Recorded = NonNullable<OrderJson["withdrawal"]>;

interface WithdrawalProps {
  order: OrderJson;
  /** Called with the recorded withdrawal, to show it with the order. */
  onRecorded: (withdrawal: Recorded) => void;
  /** Called when the order has changed elsewhere and refuses the withdrawal. */
  onOutdated: () => void;
}

/** The order's withdrawal; or its button, while the period may run and objects and money can be given back. */
export function Withdrawal({ order, onRecorded, onOutdated }: WithdrawalProps) {
  const [isOpen, setIsOpen] = useState(false);
  /** True if the withdrawal was sent from here: then screen readers announce it. */
  const [isSent, setIsSent] = useState(false);
  const step = order.withdrawal
    ? "done"
    : !canWithdraw(order)
      ? "none"
      : isOpen
        ? "form"
        : "closed";
  /** The chosen pieces by the id of their line; a line that is not in here is chosen whole. */
  const [choice, setChoice] = useState<Record<number, number>>({});
  const { isBusy, problem, setProblem, run } = useCall(
    ({ sentence }) => sentence || WITHDRAWAL_FAILED,
  );
  useDraft<typeof choice>({
    key: `withdrawal/${order.id}`,
    read: () => (step === "form" && Object.keys(choice).length > 0 ? choice : null),
    restore: (kept) => {
      setChoice(kept);
      setIsOpen(true);
    },
  });
  const region = useRef<HTMLElement>(null);

  // The element that had the focus was removed with the previous step.
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    const hadFocus = shown.current === "form" || step === "form";
    shown.current = step;
    if (hadFocus) region.current?.focus();
  }, [step]);

  if (step === "none" && problem === null) return null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const objects = order.items.filter(canReturn).map((item) => ({
      name: item.product.name,
      left: piecesLeft(item),
      quantity: choice[item.id] ?? piecesLeft(item),
    }));
    if (objects.every(({ quantity }) => quantity === 0)) return setProblem(NO_OBJECT);
    const items = itemsText(objects);
    void run(async () => {
      const { date } = await sendWithdrawal({ orderId: order.id, items }).catch((error) => {
        if (error instanceof ApiError && error.status === 409) onOutdated();
        throw error;
      });
      setIsSent(true);
      onRecorded({ date, state: "received", refusalReason: null });
    });
  };

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Rétractation"
      className="flex flex-col items-start gap-4 border-line border-t pt-4 focus-visible:outline-none"
    >
      {order.withdrawal && (
        <Alert
          kind={order.withdrawal.state === "refused" ? "info" : "success"}
          live={isSent}
          className="w-full"
        >
          {`Vous vous êtes rétracté le ${formatDateTime(order.withdrawal.date)}. ${outcomeOf(
            { ...order.withdrawal, isFree: order.total === 0 },
            isSent,
          )}`}
        </Alert>
      )}
      {step === "form" && (
        <WithdrawalForm
          objects={order.items.filter(canReturn)}
          choice={choice}
          onChoose={(id, quantity) => {
            setProblem(null);
            setChoice({ ...choice, [id]: quantity });
          }}
          isBusy={isBusy}
          onSubmit={submit}
          onCancel={() => {
            setProblem(null);
            setIsOpen(false);
          }}
        />
      )}
      {problem && (
        <Alert kind="error" className="w-full">
          {problem}
        </Alert>
      )}
      {step === "closed" && (
        <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
          Me rétracter de cette commande
        </Button>
      )}
    </section>
  );
}

/** Whether the buyer may still withdraw, judging by the order shown here. */
function canWithdraw(order: OrderJson): boolean {
  return (
    order.status !== "cancelled" &&
    (order.refundedTotal === 0 || order.refundedTotal < order.total) &&
    isWithinPeriod({
      orderedAt: new Date(order.date),
      parcels: order.shipments.map(({ shippedAt, deliveredAt }) => ({
        shippedAt: new Date(shippedAt),
        deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
      })),
    }) &&
    order.items.some(canReturn)
  );
}

const piecesLeft = ({ quantity, refundedQuantity }: OrderItem) => quantity - refundedQuantity;

const canReturn = (item: OrderItem) =>
  productTypeOf(item.product) === "physical" && piecesLeft(item) > 0;

function outcomeOf(
  { state, refusalReason, isFree }: Recorded & { isFree: boolean },
  isSent: boolean,
): string {
  if (state === "received")
    return isSent
      ? "L’accusé de réception vous parvient par e-mail."
      : "L’accusé de réception vous a été envoyé par e-mail.";
  if (state === "refunded") return isFree ? "Elle est réglée." : "Le remboursement est fait.";
  return `La boutique n’a pas pu l’accepter\u00a0: ${refusalReason ?? ""}`;
}

interface WithdrawalFormProps {
  objects: readonly OrderItem[];
  choice: Readonly<Record<number, number>>;
  onChoose: (id: number, quantity: number) => void;
  isBusy: boolean;
  onSubmit: (event: FormEvent) => void;
  onCancel: () => void;
}

function WithdrawalForm({ objects, choice, onChoose, ...props }: WithdrawalFormProps) {
  const { isBusy, onSubmit, onCancel } = props;
  const hasChoice = objects.length > 1 || objects.some((item) => piecesLeft(item) > 1);
  return (
    <form noValidate className="flex w-full flex-col gap-4" onSubmit={onSubmit}>
      <p className="text-muted text-sm">
        Vous avez quatorze jours après avoir reçu un objet pour vous rétracter, sans donner de
        motif&#8239;; si le dernier est un samedi, un dimanche ou un jour férié, jusqu’au premier
        jour ouvrable suivant. Les fichiers à télécharger n’en font pas partie.
      </p>
      {hasChoice && (
        <fieldset disabled={isBusy}>
          <legend className="font-medium text-sm">Articles concernés</legend>
          <ul className="mt-1">
            {objects.map((item) => {
              const { id, product } = item;
              const left = piecesLeft(item);
              const chosen = choice[id] ?? left;
              return (
                <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
                  <CheckboxField
                    className="min-w-0"
                    label={product.name}
                    checked={chosen > 0}
                    onChange={({ target }) => onChoose(id, target.checked ? left : 0)}
                  />
                  {left > 1 && (
                    <QuantityInput
                      size="sm"
                      label={`Quantité de ${product.name}`}
                      value={chosen || left}
                      max={left}
                      disabled={chosen === 0}
                      onChange={(quantity) => onChoose(id, quantity)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </fieldset>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} pendingLabel="Envoi en cours...">
          Confirmer la rétractation
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
