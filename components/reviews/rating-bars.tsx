import clsx from "clsx";
import { formatNumber } from "@/lib/numbers";
import { type RatingCounts, STARS } from "@/lib/reviews/rules";
import { starsText } from "@/lib/reviews/texts";

interface RatingBarsProps {
  ratings: RatingCounts;
  /** The rating of the reviews that are listed; null if all are. */
  chosen: number | null;
  /** Called with null if the chosen rating is pressed again. */
  onChoose: (stars: number | null) => void;
}

/** The share of the reviews with each rating, as bars; a bar lists the reviews with its rating. */
export function RatingBars({ ratings, chosen, onChoose }: RatingBarsProps) {
  const total = STARS.reduce((sum, stars) => sum + (ratings[stars] ?? 0), 0) || 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label="Avis par note" className="flex flex-col">
      {STARS.map((stars) => {
        const count = ratings[stars] ?? 0;
        return (
          <button
            key={stars}
            type="button"
            aria-pressed={stars === chosen}
            disabled={count === 0}
            onClick={() => onChoose(stars === chosen ? null : stars)}
            className={clsx(
              "-mx-2 grid min-h-9 grid-cols-[4.5rem_minmax(0,1fr)_2.5rem] items-center gap-3 rounded-md px-2 text-left text-sm enabled:hover:bg-surface disabled:text-muted",
              stars === chosen && "bg-accent-soft font-medium",
            )}
          >
            <span>{starsText(stars)}</span>
            <span className="h-2 overflow-hidden rounded-full bg-surface-strong">
              <span
                className="block h-full rounded-full bg-rating forced-colors:bg-[CanvasText]"
                style={{ width: `${(100 * count) / total}%` }}
              />
            </span>
            <span className="text-right tabular-nums">
              <span>{formatNumber(count)}</span>
              <span className="sr-only"> avis</span>
            </span>
          </button>
        );
      })}
    </div>
  );
}
