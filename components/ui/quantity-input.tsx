"use client";

import clsx from "clsx";
import { useId, useState } from "react";
import { MinusIcon, PlusIcon } from "@/components/ui/icons";
import { useNumberInput } from "@/components/ui/use-number-input";

interface QuantityInputProps {
  value: number;
  /** Receives whole numbers from 1 to `max`. */
  onChange: (quantity: number) => void;
  /** For screen readers: "Quantité" or "Quantité de Lampe Aube". */
  label: string;
  max: number;
  /** Whether a typed number below 1 becomes 1 or is ignored. */
  tooLow?: "reset" | "ignore";
  size?: keyof typeof SIZES;
  disabled?: boolean;
}

const SIZES = {
  sm: { control: "h-8 text-sm", input: "w-9", button: "w-8" },
  md: { control: "h-11", input: "w-12", button: "w-11" },
  lg: { control: "h-13", input: "w-9", button: "w-10" },
};

/**
 * A number from 1 to `max` with a stepper button on each side. At its limit a button is only
 * `aria-disabled`: browsers take the focus from disabled buttons.
 */
export function QuantityInput({
  value,
  onChange,
  label,
  max,
  tooLow = "reset",
  size = "md",
  disabled,
}: QuantityInputProps) {
  // Chromium reports fields without id and name as an issue.
  const id = useId();
  const { problem, numberProps } = useNumberInput();
  /** The typed text while it is not a quantity: empty, or a number with decimals. */
  const [typed, setTyped] = useState<string | null>(null);
  const refusal = problem ?? (typed ? "Veuillez saisir un nombre entier." : null);
  const className = clsx(
    "grid place-items-center print:hidden text-ink not-aria-disabled:enabled:hover:bg-surface aria-disabled:cursor-not-allowed aria-disabled:text-line-strong disabled:cursor-not-allowed disabled:text-line-strong focus-visible:-outline-offset-2",
    SIZES[size].button,
  );
  const button = ({ by, isPossible }: { by: number; isPossible: boolean }) => ({
    "aria-description": label,
    className,
    disabled,
    "aria-disabled": !isPossible,
    onClick: () => isPossible && onChange(value + by),
  });
  const control = (
    <div
      className={clsx(
        "inline-flex w-fit shrink-0 overflow-hidden rounded-md border border-line-strong bg-bg",
        SIZES[size].control,
      )}
    >
      <button type="button" aria-label="Un de moins" {...button({ by: -1, isPossible: value > 1 })}>
        <MinusIcon size={16} />
      </button>
      <input
        id={id}
        {...numberProps}
        inputMode="numeric"
        aria-label={label}
        min={1}
        max={max}
        step={1}
        value={typed ?? value}
        aria-invalid={refusal !== null || undefined}
        aria-describedby={refusal === null ? undefined : `${id}-error`}
        disabled={disabled}
        onChange={(event) => {
          const { value: text, valueAsNumber: quantity } = event.target;
          if (!Number.isInteger(quantity) || text.includes(".")) return setTyped(text);
          setTyped(null);
          if (quantity < 1 && tooLow === "ignore") return;
          onChange(Math.min(Math.max(quantity, 1), max));
        }}
        onBlur={({ target }) => {
          setTyped(null);
          // "1e1" equals 10, so React leaves the typed text as it is.
          target.value = String(value);
        }}
        className={clsx(
          "appearance-none bg-bg text-center tabular-nums [-moz-appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none focus-visible:-outline-offset-2",
          SIZES[size].input,
        )}
      />
      <button type="button" aria-label="Un de plus" {...button({ by: 1, isPossible: value < max })}>
        <PlusIcon size={16} />
      </button>
    </div>
  );
  return (
    <div className="relative shrink-0">
      {control}
      {refusal !== null && (
        // Overlays the content below: pressing a button there removes the message, and must not move the button.
        <p
          id={`${id}-error`}
          role="alert"
          className="absolute top-full left-0 z-10 mt-1 w-max max-w-56 rounded-md border border-danger bg-bg px-3 py-1.5 text-danger text-sm shadow-overlay"
        >
          {refusal}
        </p>
      )}
    </div>
  );
}
