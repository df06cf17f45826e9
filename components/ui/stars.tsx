import clsx from "clsx";
import type { CSSProperties } from "react";
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
