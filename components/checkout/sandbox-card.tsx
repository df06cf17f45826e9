"use client";

import { type ChangeEvent, useLayoutEffect, useRef, useState } from "react";
import { TextField } from "@/components/ui/field";
import { useDeferDuringPress } from "@/components/ui/use-defer-during-press";
import {
  type CardField,
  type CardInput,
  cardProblems,
  formatCvc,
  formatExpiry,
  formatNumber,
} from "@/lib/checkout/card";

const EMPTY: CardInput = { number: "", expiry: "", cvc: "" };

const FORMATS: Record<CardField, (text: string) => string> = {
  number: formatNumber,
  expiry: formatExpiry,
  cvc: formatCvc,
};

/** The sandbox's card fields, in place of Stripe's iframe. */
export function SandboxCard({ onChange }: { onChange: (card: CardInput) => void }) {
  const [card, setCard] = useState(EMPTY);
  /** Fields that were blurred: before its blur, a field with an incomplete value shows no error. */
  const [touched, setTouched] = useState<ReadonlySet<CardField>>(new Set());
  const deferDuringPress = useDeferDuringPress();
  const problems = cardProblems(card);

  function field(name: CardField) {
    const problem = problems[name];
    const isShown = problem && card[name] !== "" && (touched.has(name) || !problem.isIncomplete);
    return {
      value: card[name],
      format: FORMATS[name],
      error: isShown ? problem.message : null,
      onValue: (text: string) => {
        const next = { ...card, [name]: text };
        setCard(next);
        onChange(next);
      },
      onBlur: () => deferDuringPress(() => setTouched((names) => new Set(names).add(name))),
    };
  }

  return (
    <div className="grid grid-cols-2 gap-4">
      <FormattedField
        {...field("number")}
        label="Numéro de carte"
        autoComplete="cc-number"
        placeholder="1234 1234 1234 1234"
        className="col-span-2"
      />
      <FormattedField
        {...field("expiry")}
        label="Date d'expiration"
        autoComplete="cc-exp"
        placeholder="MM / AA"
      />
      <FormattedField {...field("cvc")} label="CVC" autoComplete="cc-csc" placeholder="123" />
    </div>
  );
}

interface FormattedFieldProps {
  label: string;
  value: string;
  error: string | null;
  autoComplete: string;
  placeholder: string;
  className?: string;
  format: (text: string) => string;
  onValue: (text: string) => void;
  onBlur: () => void;
}

/** A field that groups digits as they are typed, and keeps the cursor at its digit. */
function FormattedField({ format, value, onValue, ...field }: FormattedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const cursor = useRef<number | null>(null);

  useLayoutEffect(() => {
    if (cursor.current === null) return;
    input.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });

  function change({ target }: ChangeEvent<HTMLInputElement>) {
    const typed = target.value;
    // Deleting a separator deletes the digit before it, or formatting would restore the separator.
    const hasLostSeparator = typed.length === value.length - 1 && digits(typed) === digits(value);
    const at = target.selectionStart ?? typed.length;
    const kept = hasLostSeparator
      ? typed.slice(0, at).replace(/\d\D*$/, "") + typed.slice(at)
      : typed;
    const formatted = format(kept);
    if (at < typed.length) {
      const before = digits(typed.slice(0, at)).length - (hasLostSeparator ? 1 : 0);
      cursor.current = positionAfter({ text: formatted, count: before });
    }
    onValue(formatted);
  }

  return (
    <TextField
      {...field}
      liveError
      ref={input}
      value={value}
      onChange={change}
      inputMode="numeric"
      spellCheck={false}
      required
    />
  );
}

const digits = (text: string) => text.replace(/\D/g, "");

/** The index after the first `count` digits. */
function positionAfter({ text, count }: { text: string; count: number }): number {
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    if (seen === count) return index;
    if (/\d/.test(text[index] ?? "")) seen += 1;
  }
  return text.length;
}
