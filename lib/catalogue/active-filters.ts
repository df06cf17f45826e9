import { formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import { PRODUCT_TYPE_LABELS } from "@/lib/shop/product-type";
import { tagsOf, toggleCharacteristic, toggleTag } from "./filters";
import type { CatalogueLabel } from "./rules";
import type { CatalogueView } from "./schemas";

/** A filter that is set, and what removes it. */
export interface ActiveFilter {
  /** "Coup de cœur", "Matière : Bois". */
  name: string;
  without: Partial<CatalogueView>;
}

/** The filters of a view besides its category, in the order of the controls. */
export function activeFilters(
  view: CatalogueView,
  { tags }: { tags: readonly CatalogueLabel[] },
): ActiveFilter[] {
  const { search, type, minPriceCents, maxPriceCents, minRating, availability } = view;
  const filters: ActiveFilter[] = [];
  const add = (name: string, without: Partial<CatalogueView>) => filters.push({ name, without });
  if (search) add(`«\u00a0${search}\u00a0»`, { search: undefined });
  if (type) add(PRODUCT_TYPE_LABELS[type], { type: undefined });
  if (minPriceCents !== undefined || maxPriceCents !== undefined)
    add(priceRangeText(minPriceCents, maxPriceCents), {
      minPriceCents: undefined,
      maxPriceCents: undefined,
    });
  for (const id of tagsOf(view))
    add(tags.find((tag) => tag.id === id)?.name ?? "Étiquette", toggleTag(view, id));
  if (minRating !== undefined) add(ratingText(minRating), { minRating: undefined });
  if (availability) add(IN_STOCK, { availability: undefined });
  for (const { name, values } of view.characteristics ?? [])
    for (const value of values)
      add(`${name}\u00a0: ${value}`, toggleCharacteristic(view, { name, value }));
  return filters;
}

/** The view without its filters; its category and its sort stay. */
export const withoutFilters = (view: CatalogueView): CatalogueView => ({
  ...view,
  search: undefined,
  type: undefined,
  minPriceCents: undefined,
  maxPriceCents: undefined,
  tagId: undefined,
  tagIds: undefined,
  minRating: undefined,
  availability: undefined,
  characteristics: undefined,
  page: 1,
});

export const IN_STOCK = "En stock";

/** "4 étoiles et plus". */
export const ratingText = (min: number): string =>
  `${formatNumber(min)} ${min < 2 ? "étoile" : "étoiles"} et plus`;

/** "De 10,00 € à 19,99 €", "Dès 500,00 €", "Jusqu'à 9,99 €". */
export function priceRangeText(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `Dès ${formatEuros(min ?? 0)}`;
  if (!min) return `Jusqu’à ${formatEuros(max)}`;
  return `De ${formatEuros(min)} à ${formatEuros(max)}`;
}
