import type { CharacteristicFilter, ProductFilters } from "./schemas";

// Filters in their one canonical form, so that equal filters give equal addresses and cache keys. Also used by the
// browser: without a schema library.

/** The filter by these tags: `tagId` for a single one, else `tagIds`, sorted. */
export function tagFilters(
  tags: readonly (number | undefined)[],
): Pick<ProductFilters, "tagId" | "tagIds"> {
  const ids = [...new Set(tags)].filter((id) => id !== undefined).sort((a, b) => a - b);
  return ids.length > 1 ? { tagId: undefined, tagIds: ids } : { tagId: ids[0], tagIds: undefined };
}

/** The tags that products may have. */
export const tagsOf = ({ tagId, tagIds }: Pick<ProductFilters, "tagId" | "tagIds">) =>
  tagIds ?? (tagId === undefined ? [] : [tagId]);

/** The filters by characteristics, by name, without doubles and empty lists; undefined if there are none. */
export function characteristicFilters(
  lists: Iterable<readonly [name: string, values: readonly string[]]>,
): readonly CharacteristicFilter[] | undefined {
  const filters = [...lists]
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => ({ name, values: [...new Set(values)].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return filters.length > 0 ? filters : undefined;
}

/** The filters that only exist beside the catalogue's specified ones: no list is kept ready for them. */
export const hasFurtherFilters = (filters: ProductFilters): boolean =>
  Boolean(filters.tagIds ?? filters.minRating ?? filters.availability ?? filters.characteristics);

/** The filters alone, without the search text: what counts depend on. */
export const filtersOf = ({
  categoryId,
  tagId,
  tagIds,
  type,
  minPriceCents,
  maxPriceCents,
  minRating,
  availability,
  characteristics,
  status,
}: ProductFilters): Omit<ProductFilters, "search"> => ({
  categoryId,
  tagId,
  tagIds,
  type,
  minPriceCents,
  maxPriceCents,
  minRating,
  availability,
  characteristics,
  status,
});

/** The filter with a value added, or removed if it is set already. */
export function toggleTag(filters: ProductFilters, id: number) {
  const tags = tagsOf(filters);
  return tagFilters(tags.includes(id) ? tags.filter((tag) => tag !== id) : [...tags, id]);
}

export function toggleCharacteristic(
  { characteristics = [] }: ProductFilters,
  { name, value }: { name: string; value: string },
): Pick<ProductFilters, "characteristics"> {
  const lists = new Map(characteristics.map((filter) => [filter.name, filter.values]));
  const values = lists.get(name) ?? [];
  lists.set(
    name,
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value],
  );
  return { characteristics: characteristicFilters(lists) };
}
