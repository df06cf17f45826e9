/** The French rates in percent, and in basis points. */
export const VAT_RATES = new Map([
  [20, 2000],
  [10, 1000],
  [5.5, 550],
  [2.1, 210],
  [0, 0],
]);

/** In basis points, of an amount of which nothing says what it is taxed at. */
export const DEFAULT_VAT_RATE = 2000;
