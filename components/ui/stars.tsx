import clsx from "clsx";
import type { ComponentProps, CSSProperties } from "react";
import { FieldNotes } from "@/components/ui/field";
import { formatNumber } from "@/lib/numbers";

/** "4,3" */
export const oneDecimal = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

interface StarsStyle {
  /** Shows "4,3 / 5" to screen readers only. */
  compact?: boolean;
  /** Omits "4,3 / 5" if the page shows it elsewhere. */
  wordless?: boolean;
  className?: string;
}

/** The rating of one review, a whole number, or the average of `count` reviews; 0 to 5. */
type StarsProps = ({ rating: number } | { average: number; count?: number }) & StarsStyle;

/** A rating as (partly filled) stars and as text: "4 / 5", or "4,3 / 5 (12 avis)". */
export function Stars({ compact, wordless, className, ...value }: StarsProps) {
  const isAverage = "average" in value;
  const rating = isAverage ? value.average : value.rating;
  const count = isAverage && value.count !== undefined ? formatNumber(value.count) : undefined;
  // The width of stars, gap, digits and parentheses; no wider than a card, where text is large.
  const minWidth =
    compact && count !== undefined
      ? `min(100%, 5em + 0.375rem + ${count.length + 1.2}ch)`
      : undefined;
  return (
    // Has its final size from the beginning, even if the browser pauses while it parses the stars.
    <span
      className={clsx(
        "inline-flex min-h-[1lh] flex-wrap items-center gap-x-1.5 tabular-nums",
        className,
      )}
      style={{ minWidth }}
    >
      <span aria-hidden="true" className="stars" style={{ "--rating": rating } as CSSProperties} />
      {!wordless && (
        <span className={clsx(compact && "sr-only", "whitespace-nowrap")}>
          {`${isAverage ? oneDecimal.format(rating) : rating} / 5`}
        </span>
      )}
      {count !== undefined && (
        <span className="whitespace-nowrap text-muted">
          <span>{`(${count}`}</span>
          <span className={clsx(compact && "sr-only")}> avis</span>)
        </span>
      )}
    </span>
  );
}

interface StarsInputProps extends Omit<ComponentProps<"input">, "className" | "type" | "value"> {
  /** The legend: "Note". */
  legend: string;
  name: string;
  error?: string | null;
  /** The selected rating, if controlled; otherwise `defaultValue`. */
  value?: number;
}

/** Selects 1 to 5 stars: five radio buttons, for keyboards and screen readers. */
export function StarsInput({
  legend,
  error,
  value,
  defaultValue,
  "aria-describedby": describedBy,
  ...input
}: StarsInputProps) {
  const errorId = `${input.name}-error`;
  return (
    <fieldset
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it on a fieldset
      role="radiogroup"
      aria-required={input.required || undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={clsx(error && errorId, describedBy) || undefined}
    >
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      <div className="star-input -ml-1 flex">
        {[1, 2, 3, 4, 5].map((star) => (
          <label key={star}>
            <input
              {...input}
              type="radio"
              value={star}
              checked={value === undefined ? undefined : value === star}
              defaultChecked={value === undefined ? Number(defaultValue) === star : undefined}
              // Covers the star, so that pointers hit the input itself.
              className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
            />
            <span className="sr-only">{star === 1 ? "1 étoile" : `${star} étoiles`}</span>
          </label>
        ))}
      </div>
      <div className="mt-1.5">
        <FieldNotes id={input.name} error={error} />
      </div>
    </fieldset>
  );
}
