/** Cents: the least and the most that the provider takes of a card in euros. */
export const MIN_PAYMENT = 50;
export const MAX_PAYMENT = 99_999_999;

/** Cents that a total lacks to be paid by card; none where nothing is to be paid. */
export const missingToPay = (totalCents: number): number =>
  totalCents === 0 ? 0 : Math.max(0, MIN_PAYMENT - totalCents);
