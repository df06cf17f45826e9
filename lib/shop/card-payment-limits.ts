/** Cents: the smallest and the largest card payment in euros that the provider accepts. */
export const MIN_PAYMENT = 50;
export const MAX_PAYMENT = 99_999_999;

/** Cents that a total lacks to be paid by card; 0 for a total of 0, which needs no payment. */
export const centsBelowMinimum = (totalCents: number): number =>
  totalCents === 0 ? 0 : Math.max(0, MIN_PAYMENT - totalCents);
