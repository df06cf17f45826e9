"use client";

import clsx from "clsx";
import {
  type ChangeEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { FieldNotes } from "@/components/ui/field";
import { useDeferDuringPress } from "@/components/ui/use-defer-during-press";
import {
  brandOf,
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

/** What Stripe's element can do from outside, and the filling in that only a sandbox may do. */
export interface SandboxCardHandle {
  focus: () => void;
  fill: (card: CardInput) => void;
}

interface SandboxCardProps {
  ref: Ref<SandboxCardHandle>;
  onChange: (card: CardInput) => void;
}

/** The sandbox's card fields, in place of Stripe's iframe. */
export function SandboxCard({ ref, onChange }: SandboxCardProps) {
  const [card, setCard] = useState(EMPTY);
  const id = useId();
  const numberField = useRef<HTMLInputElement>(null);
  /** Fields that were blurred: before its blur, a field with an incomplete value shows no error. */
  const [touched, setTouched] = useState<ReadonlySet<CardField>>(new Set());
  const deferDuringPress = useDeferDuringPress();
  const problems = cardProblems(card);
  useImperativeHandle(ref, () => ({
    focus: () => {
      numberField.current?.focus({ preventScroll: true });
      numberField.current?.select();
    },
    fill: (filled) => {
      setCard(filled);
      onChange(filled);
    },
  }));

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

  const fields = [
    {
      ...field("number"),
      label: "Numéro de carte",
      autoComplete: "cc-number",
      placeholder: "1234 1234 1234 1234",
      className: "col-span-2 border-b border-line-strong",
      ref: numberField,
      mark: brandOf(card.number),
    },
    {
      ...field("expiry"),
      label: "Date d'expiration",
      autoComplete: "cc-exp",
      placeholder: "MM / AA",
      className: "border-r border-line-strong",
    },
    { ...field("cvc"), label: "CVC", autoComplete: "cc-csc", placeholder: "123" },
  ];
  return (
    <>
      <div className="grid grid-cols-2 overflow-clip rounded-md border border-line-strong [overflow-clip-margin:4px]">
        {fields.map((each) => (
          <FormattedField key={each.label} {...each} id={`${id}-${each.autoComplete}`} />
        ))}
      </div>
      <div className="mt-1.5 flex flex-col gap-1 empty:hidden">
        {fields.map(({ label, autoComplete, error }) => (
          <FieldNotes key={label} id={`${id}-${autoComplete}`} error={error} liveError />
        ))}
      </div>
    </>
  );
}

interface FormattedFieldProps {
  id: string;
  ref?: Ref<HTMLInputElement>;
  label: string;
  /** The card's brand. */
  mark?: string | null;
  value: string;
  error: string | null;
  autoComplete: string;
  placeholder: string;
  className?: string | undefined;
  format: (text: string) => string;
  onValue: (text: string) => void;
  onBlur: () => void;
}

/** A field that groups digits as they are typed, and keeps the cursor at its digit. */
function FormattedField({
  ref,
  format,
  value,
  onValue,
  label,
  mark,
  error,
  className,
  ...field
}: FormattedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement, []);
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
    <div
      className={clsx(
        "relative flex flex-col px-3.5 pt-2 pb-1 focus-within:outline-2 focus-within:outline-accent",
        error && "bg-danger-soft",
        className,
      )}
    >
      <label htmlFor={field.id} className="text-muted text-xs">
        {label}
      </label>
      <input
        {...field}
        ref={input}
        value={value}
        onChange={change}
        inputMode="numeric"
        spellCheck={false}
        required
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : `${field.id}-error`}
        className="min-h-9 w-full bg-transparent placeholder:text-muted focus:outline-none"
      />
      {mark && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute right-3.5 bottom-3 rounded-sm border border-line bg-bg px-1.5 font-semibold text-xs"
        >
          {mark}
        </span>
      )}
    </div>
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
