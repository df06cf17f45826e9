import clsx from "clsx";
import type { ComponentProps, CSSProperties } from "react";
import { AlertCircleIcon } from "@/components/ui/icons";

const oneDecimal = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

interface Look {
  /** Hides "4,3 / 5" from the eye where the stars say enough; screen readers still get it. */
  compact?: boolean;
  /** Leaves "4,3 / 5" out, where it stands elsewhere on the page. */
  wordless?: boolean;
  className?: string;
}

/** The rating of one review, a whole number, or the average of `count` reviews; 0 to 5. */
type StarsProps = ({ rating: number } | { average: number; count?: number }) & Look;

/** Stars, partly filled ones included, with their text: "4 / 5", or "4,3 / 5 (12 avis)". */
export function Stars({ compact, wordless, className, ...value }: StarsProps) {
  const isAverage = "average" in value;
  const rating = isAverage ? value.average : value.rating;
  const count = isAverage ? value.count : undefined;
  return (
    <span className={clsx("inline-flex flex-wrap items-center gap-x-1.5", className)}>
      <span aria-hidden="true" className="stars" style={{ "--rating": rating } as CSSProperties} />
      {!wordless && (
        <span className={clsx(compact && "sr-only", "whitespace-nowrap")}>
          {isAverage ? oneDecimal.format(rating) : rating} / 5
        </span>
      )}
      {count !== undefined && (
        <span className="whitespace-nowrap text-muted">
          ({count}
          <span className={clsx(compact && "sr-only")}> avis</span>)
        </span>
      )}
    </span>
  );
}

interface StarsInputProps extends Omit<ComponentProps<"input">, "className" | "type" | "value"> {
  /** The question that the stars answer, "Note". */
  legend: string;
  name: string;
  error?: string | null;
  /** The chosen rating, where the form keeps it; otherwise `defaultValue`. */
  value?: number;
  className?: string;
}

/** A choice of 1 to 5 stars: five radio buttons, so keyboards and screen readers know it. */
export function StarsInput({
  legend,
  error,
  value,
  defaultValue,
  className,
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
      className={className}
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
              // As large as the star, which stands before it: pointers meet the control itself.
              className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
            />
            <span className="sr-only">
              {star} {star === 1 ? "étoile" : "étoiles"}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 flex gap-1.5 text-danger text-sm">
          <AlertCircleIcon size={16} className="mt-0.75 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
