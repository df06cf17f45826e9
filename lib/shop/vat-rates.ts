/** The French rates in percent, and in basis points. */
export const VAT_RATES = new Map([
  [20, 2000],
  [10, 1000],
  [5.5, 550],
  [2.1, 210],
  [0, 0],
]);

/** In basis points: the rate of an amount whose rate is not known. */
export const DEFAULT_VAT_RATE = 2000;
