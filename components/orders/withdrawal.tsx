"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useCall } from "@/components/ui/use-call";
import { productTypeOf } from "@/lib/catalogue/rules";
import { formatDateTime } from "@/lib/dates";
import type { OrderJson } from "@/lib/orders/client";
import { getWithdrawal, sendWithdrawal } from "@/lib/withdrawals/client";
import { ITEMS_MAX_LENGTH, isWithinPeriod } from "@/lib/withdrawals/rules";
import { TOO_LATE, WITHDRAWAL_FAILED } from "@/lib/withdrawals/texts";

type Step = { kind: "closed" } | { kind: "form" } | { kind: "done"; date: string };

/** Withdrawal from an order with physical products, as long as the period may still run. */
export function Withdrawal({ order }: { order: OrderJson }) {
  const [step, setStep] = useState<Step>({ kind: "closed" });
  const [items, setItems] = useState("");
  const { isBusy, problem, setProblem, run } = useCall(
    ({ sentence }) => sentence || WITHDRAWAL_FAILED,
  );
  const region = useRef<HTMLElement>(null);

  // The element that had the focus was removed with the previous step.
  useEffect(() => {
    if (step.kind !== "closed") region.current?.focus();
  }, [step.kind]);

  if (!order.items.some(({ product }) => productTypeOf(product) === "physical")) return null;
  if (!isWithinPeriod(new Date(order.date)) && step.kind !== "done") return null;

  const open = () =>
    run(async () => {
      const { date, isPossible } = await getWithdrawal(order.id);
      if (date !== null) setStep({ kind: "done", date });
      else if (isPossible) setStep({ kind: "form" });
      else setProblem(TOO_LATE);
    });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const { date } = await sendWithdrawal({ orderId: order.id, items });
      setStep({ kind: "done", date });
    });
  };

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Rétractation"
      className="flex flex-col items-start gap-4 border-line border-t pt-4 focus-visible:outline-none"
    >
      {step.kind === "done" && (
        <Alert kind="success" className="w-full">
          Vous vous êtes rétracté le {formatDateTime(step.date)}. L’accusé de réception vous
          parvient par e-mail.
        </Alert>
      )}
      {step.kind === "form" && (
        <WithdrawalForm
          items={items}
          onItems={setItems}
          isBusy={isBusy}
          onSubmit={submit}
          onCancel={() => {
            setProblem(null);
            setStep({ kind: "closed" });
            region.current?.focus();
          }}
        />
      )}
      {problem && (
        <Alert kind="error" className="w-full">
          {problem}
        </Alert>
      )}
      {step.kind === "closed" && (
        <Button variant="secondary" size="sm" busy={isBusy} onClick={() => void open()}>
          Me rétracter de cette commande
        </Button>
      )}
    </section>
  );
}

interface WithdrawalFormProps {
  items: string;
  onItems: (items: string) => void;
  isBusy: boolean;
  onSubmit: (event: FormEvent) => void;
  onCancel: () => void;
}

function WithdrawalForm({ items, onItems, isBusy, onSubmit, onCancel }: WithdrawalFormProps) {
  return (
    <form noValidate className="flex w-full flex-col gap-4" onSubmit={onSubmit}>
      <p className="text-muted text-sm">
        Vous avez quatorze jours après avoir reçu un objet pour vous rétracter, sans donner de
        motif. Les fichiers à télécharger n’en font pas partie.
      </p>
      <TextField
        label="Articles concernés (facultatif)"
        hint="Laissez vide pour tous les objets de la commande."
        maxLength={ITEMS_MAX_LENGTH}
        value={items}
        onChange={({ target }) => onItems(target.value)}
      />
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
