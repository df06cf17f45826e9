"use client";

import { type FormEvent, useId } from "react";
import { FORM_KEY } from "@/components/backoffice/forms/form-errors";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import { Button } from "@/components/ui/button";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { NumberField } from "@/components/ui/number-field";
import { centsOfAmount, formatAmount, formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { OrderRefundsJson } from "@/lib/refunds/resource";
import { amountText, type Choice, priceCents, totalCents } from "./refund-choice";

interface RefundFormProps {
  left: OrderRefundsJson["left"];
  choice: Choice;
  /** Messages by field, or under FORM_KEY. */
  problems: Readonly<Record<string, string>> | null;
  isSending: boolean;
  onChange: (choice: Choice) => void;
  onSubmit: () => void;
}

const MODES = [
  { mode: "items", label: "Des articles" },
  { mode: "amount", label: "Un montant, sans article" },
] as const;

/** The parts to be given back, and their total before anything is sent. */
export function RefundForm({
  left,
  choice,
  problems,
  isSending,
  onChange,
  onSubmit,
}: RefundFormProps) {
  const name = useId();
  const form = useFocusOnError(problems);
  const total = totalCents(choice, left);
  const price = choice.mode === "items" ? priceCents(choice, left) : null;
  const excess = excessText({ total, price, left });
  const change = (part: Partial<Choice>) => onChange({ ...choice, ...part });

  function submit(event: FormEvent) {
    event.preventDefault();
    // The dialog may be inside another React form, which would receive the event, too.
    event.stopPropagation();
    onSubmit();
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="mb-2 font-medium text-sm">Que rembourser{"\u202f"}?</legend>
        {MODES.map(({ mode, label }) => (
          <label key={mode} className="flex min-h-8 items-center gap-2.5">
            <input
              type="radio"
              name={name}
              className="size-5 accent-accent"
              checked={choice.mode === mode}
              onChange={() => change({ mode, amount: null })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {choice.mode === "items" && <Items left={left} choice={choice} change={change} />}
      {price !== 0 && (
        <TextField
          label={choice.mode === "items" ? "Montant remboursé" : "Montant"}
          unit="€"
          inputMode="decimal"
          className="max-w-sm"
          hint={choice.mode === "items" ? deductionHint({ price, total, left }) : GOODWILL_HINT}
          value={amountText(choice, left)}
          error={problems?.amount}
          onChange={({ target }) => change({ amount: target.value })}
        />
      )}
      <TextField
        label="Motif"
        hint="Le client le lira sur son avoir."
        maxLength={500}
        value={choice.reason}
        error={problems?.reason}
        onChange={({ target }) => change({ reason: target.value })}
      />
      <FormAlert
        result={problems?.[FORM_KEY] ? { kind: "error", text: problems[FORM_KEY] } : null}
      />
      <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t pt-4">
        <p aria-live="polite">
          <span className="text-muted">Total à rembourser{"\u00a0"}: </span>
          <strong className="text-heading tabular-nums">
            {total === null ? "–" : formatEuros(total)}
          </strong>
          {excess && <span className="block text-danger text-sm">{excess}</span>}
        </p>
        <Button type="submit" variant="danger" busy={isSending}>
          {total !== null && total > 0 ? `Rembourser ${formatEuros(total)}` : "Rembourser"}
        </Button>
      </div>
    </form>
  );
}

const GOODWILL_HINT =
  "Un geste commercial\u00a0: sa TVA est répartie selon les taux de la facture.";

/** Why the amount differs from the price of the chosen parts, or why it may be lowered. */
function deductionHint({
  price,
  total,
  left,
}: {
  price: number | null;
  total: number | null;
  left: RefundFormProps["left"];
}): string {
  if (price === null || total === null || total >= price)
    return "Baissez-le pour déduire l’usage ou un dommage.";
  const missing = formatEuros(price - total);
  return total === centsOfAmount(left.amount)
    ? `C’est tout ce qui reste à rendre sur ${formatEuros(price)}\u00a0: la différence de ${missing} est déjà rendue ou en cours de remboursement.`
    : `${formatEuros(price)} moins une déduction de ${missing}\u00a0: usage, dommage ou somme déjà rendue.`;
}

function excessText({
  total,
  price,
  left,
}: {
  total: number | null;
  price: number | null;
  left: RefundFormProps["left"];
}): string | null {
  if (total === null) return null;
  if (total > centsOfAmount(left.amount))
    return `Plus que ce qui reste (${formatAmount(left.amount)}).`;
  return price !== null && total > price
    ? `Plus que le prix de ce qui est choisi (${formatEuros(price)}).`
    : null;
}

function Items({
  left,
  choice,
  change,
}: Pick<RefundFormProps, "left" | "choice"> & { change: (part: Partial<Choice>) => void }) {
  const all = () =>
    change({
      quantities: Object.fromEntries(left.items.map(({ item, left: n }) => [item, String(n)])),
      shipping: left.shipping > 0,
    });
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 font-medium text-sm">Articles à rembourser</legend>
      <ul className="flex flex-col gap-3">
        {left.items.map(({ item, name, price, left: pieces }) => (
          <li key={item} className="grid grid-cols-[1fr_6rem] items-center gap-3">
            <span className="min-w-0 break-words">
              <span>{name}</span>
              <span className="block text-muted text-sm">
                {pieces === 0
                  ? "Déjà remboursé"
                  : `${formatAmount(price)} – ${formatNumber(pieces)} au plus`}
              </span>
            </span>
            <NumberField
              label={`Quantité à rembourser\u00a0: ${name}`}
              hideLabel
              min={0}
              max={pieces}
              step={1}
              disabled={pieces === 0}
              value={choice.quantities[item] ?? "0"}
              onChange={({ target }) =>
                change({ quantities: { ...choice.quantities, [item]: target.value } })
              }
            />
          </li>
        ))}
      </ul>
      {left.shipping > 0 && (
        <CheckboxField
          label={`Livraison (${formatAmount(left.shipping)})`}
          checked={choice.shipping}
          onChange={({ target }) => change({ shipping: target.checked })}
        />
      )}
      <CheckboxField
        label="Remettre les articles en stock"
        checked={choice.restock}
        onChange={({ target }) => change({ restock: target.checked })}
      />
      <Button variant="secondary" size="sm" className="w-fit" onClick={all}>
        Tout sélectionner
      </Button>
    </fieldset>
  );
}
