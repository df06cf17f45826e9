/** Products in each list beside a product. */
export const RELATED_SIZE = 4;

/** Orders with both products from which on a product is "often bought together" with another. */
export const MIN_COMMON_ORDERS = 2;

/** A product that may be shown beside another one. */
export interface Candidate {
  id: number;
  isSoldOut: boolean;
  /** Tags that both products have. */
  commonTags: number;
  /** Pieces sold. */
  sales: number;
}

/**
 * The products to show, best first: available ones before sold-out ones, then those with the most tags in
 * common, then the best sold.
 */
export function bestCandidates(candidates: readonly Candidate[]): number[] {
  return candidates
    .toSorted(
      (a, b) =>
        Number(a.isSoldOut) - Number(b.isSoldOut) ||
        b.commonTags - a.commonTags ||
        b.sales - a.sales ||
        a.id - b.id,
    )
    .slice(0, RELATED_SIZE)
    .map(({ id }) => id);
}
