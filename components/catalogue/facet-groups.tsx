import clsx from "clsx";
import type { KeyboardEvent, ReactNode } from "react";
import { ChevronDownIcon } from "@/components/ui/icons";
import { IN_STOCK, priceRangeText, ratingText } from "@/lib/catalogue/active-filters";
import type { Facets } from "@/lib/catalogue/facet-schemas";
import { tagsOf, toggleCharacteristic, toggleTag } from "@/lib/catalogue/filters";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { centsFromEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";

type FacetGroupsProps = {
  /** Null while they are not counted. */
  facets: Facets | null;
  /** Old counts are not shown. */
  areCounted: boolean;
  hasFailed: boolean;
  hasCharacteristics: boolean;
  view: CatalogueView;
  onChange: (part: Partial<CatalogueView>) => void;
  /** All groups are open, one below the other. */
  isSheet: boolean;
};

const NOTHING_COUNTED = { tags: [], prices: [], ratings: [], characteristics: [] };

/**
 * Groups of further filters with the number of products that each would leave. Fields of the catalogue's form. Beside each
 * other, the same groups are there for any list, counted or not: nothing moves when the counts arrive.
 */
export function FacetGroups(props: FacetGroupsProps) {
  const { facets, areCounted, hasFailed, hasCharacteristics, view, onChange, isSheet } = props;
  const { tags, prices, ratings, characteristics } = facets ?? NOTHING_COUNTED;
  const chosen = tagsOf(view);
  const shown = (count: number) => (areCounted ? count : null);
  const noChoice = (
    <p className="py-2 text-muted text-sm">
      {facets
        ? "Aucun choix pour ces produits."
        : hasFailed
          ? "Les choix n’ont pas pu être chargés."
          : "Chargement des choix…"}
    </p>
  );
  const groupsOfCharacteristics = characteristics.map(({ name, values }) => {
    const set = view.characteristics?.find((filter) => filter.name === name)?.values ?? [];
    return (
      <Group key={name} name={name} chosen={set.length} isSheet>
        {values.map(({ value, count }) => (
          <Choice
            key={value}
            name={`characteristics[${name}][]`}
            value={value}
            checked={set.includes(value)}
            onChange={() => onChange(toggleCharacteristic(view, { name, value }))}
            count={shown(count)}
          >
            {value}
          </Choice>
        ))}
      </Group>
    );
  });
  return (
    <div
      className={clsx(
        isSheet ? "mt-6 space-y-6" : "mt-4 flex flex-wrap items-center gap-2",
        // Without JavaScript the counts never come.
        !facets && "noscript:hidden",
      )}
    >
      {(tags.length > 0 || !isSheet) && (
        <Group name="Étiquettes" chosen={chosen.length} isSheet={isSheet}>
          {tags.length === 0 && noChoice}
          {tags.map(({ id, name, count }) => (
            <Choice
              key={id}
              name="tags[]"
              value={id}
              checked={chosen.includes(id)}
              onChange={() => onChange(toggleTag(view, id))}
              count={shown(count)}
            >
              {name}
            </Choice>
          ))}
        </Group>
      )}
      {!isSheet && (hasCharacteristics || characteristics.length > 0) && (
        <Group
          name="Caractéristiques"
          chosen={view.characteristics?.flatMap(({ values }) => values).length ?? 0}
          isSheet={false}
        >
          {characteristics.length > 0 ? (
            <div className="space-y-3 pt-2">{groupsOfCharacteristics}</div>
          ) : (
            noChoice
          )}
        </Group>
      )}
      {(prices.length > 0 || !isSheet) && (
        // The fields of the prices do the same without JavaScript.
        <Group name="Prix" chosen={0} isSheet={isSheet} className="noscript:hidden">
          {prices.length === 0 && noChoice}
          {prices.map(({ min, max, count }) => {
            const minPriceCents = centsFromEuros(min) || undefined;
            const maxPriceCents = max === null ? undefined : (centsFromEuros(max) ?? undefined);
            const isChosen =
              view.minPriceCents === minPriceCents && view.maxPriceCents === maxPriceCents;
            return (
              <Choice
                key={min}
                checked={isChosen}
                onChange={() =>
                  onChange(
                    isChosen
                      ? { minPriceCents: undefined, maxPriceCents: undefined }
                      : { minPriceCents, maxPriceCents },
                  )
                }
                count={shown(count)}
              >
                {priceRangeText(minPriceCents, maxPriceCents)}
              </Choice>
            );
          })}
        </Group>
      )}
      {(ratings.length > 0 || !isSheet) && (
        <Group name="Note" chosen={view.minRating === undefined ? 0 : 1} isSheet={isSheet}>
          {ratings.length === 0 && noChoice}
          {ratings.map(({ min, count }) => (
            <Choice
              key={min}
              name="min_rating"
              value={min}
              checked={view.minRating === min}
              onChange={() => onChange({ minRating: view.minRating === min ? undefined : min })}
              count={shown(count)}
            >
              {ratingText(min)}
            </Choice>
          ))}
        </Group>
      )}
      <Choice
        name="availability"
        value="in_stock"
        checked={view.availability === "in_stock"}
        onChange={() => onChange({ availability: view.availability ? undefined : "in_stock" })}
        // A stored page, which does not expire when a product is sold out, would show an old count.
        count={null}
        className={isSheet ? "" : "min-h-10 rounded-full border border-line-strong px-4"}
      >
        {IN_STOCK}
      </Choice>
      {isSheet && groupsOfCharacteristics}
    </div>
  );
}

type GroupProps = {
  name: string;
  /** How many of its values are set. */
  chosen: number;
  isSheet: boolean;
  className?: string;
  children: ReactNode;
};

/** A group of values: a list in the sheet or within another group, else a panel below a button. */
function Group({ name, chosen, isSheet, className, children }: GroupProps) {
  if (isSheet)
    return (
      <fieldset className={clsx("min-w-0", className)}>
        <legend className="mb-1 font-medium text-sm">{name}</legend>
        {children}
      </fieldset>
    );
  return (
    // Only one of the panels is open at a time.
    <details
      name="facets"
      onKeyDown={closeOnEscape}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) closeOnPressOutside(currentTarget);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
      className={clsx("facet relative max-w-full", className)}
    >
      <summary
        className={clsx(
          "flex min-h-10 cursor-pointer items-center gap-2 rounded-full border px-4 text-sm hover:border-ink",
          chosen > 0 ? "border-accent bg-accent-soft text-accent" : "border-line-strong",
        )}
      >
        <span className="min-w-0 truncate font-medium">{name}</span>
        {chosen > 0 && (
          <span className="tabular-nums">
            <span>{`(${chosen}`}</span>
            <span className="sr-only">{chosen === 1 ? " choisi" : " choisis"}</span>
            <span>)</span>
          </span>
        )}
        <ChevronDownIcon size={16} className="shrink-0" />
      </summary>
      <fieldset className="absolute noscript:static top-full left-0 z-30 mt-1.5 max-h-80 w-72 max-w-[80vw] overflow-y-auto rounded-lg border border-line bg-bg px-4 py-2 shadow-overlay">
        <legend className="sr-only">{name}</legend>
        {children}
      </fieldset>
    </details>
  );
}

function closeOnPressOutside(details: HTMLDetailsElement): void {
  const onPress = ({ target }: Event) => {
    if (details.open && details.contains(target as Node)) return;
    details.open = false;
    document.removeEventListener("pointerdown", onPress);
  };
  document.addEventListener("pointerdown", onPress);
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== "Escape" || !currentTarget.open) return;
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}

type ChoiceProps = {
  /** Without a name it is not sent with the form. */
  name?: string;
  value?: string | number;
  checked: boolean;
  onChange: () => void;
  /** Null where the number is unknown. */
  count: number | null;
  className?: string;
  children: ReactNode;
};

function Choice({ children, count, className, ...input }: ChoiceProps) {
  return (
    <label className={clsx("flex min-h-10 items-center gap-2.5 text-sm", className)}>
      <input {...input} type="checkbox" className="size-4.5 shrink-0 accent-accent" />
      <span className="wrap-anywhere min-w-0 flex-1">
        {children}
        {count !== null && <span className="sr-only">,</span>}
      </span>
      {count !== null && (
        <span className="text-muted tabular-nums">
          <span>{formatNumber(count)}</span>
          <span className="sr-only">{count === 1 ? " produit" : " produits"}</span>
        </span>
      )}
    </label>
  );
}
