const format = new Intl.NumberFormat("fr-FR");

/** "1 234,5" with a narrow no-break space between thousands, "−3". */
export const formatNumber = (value: number): string => format.format(value).replace("-", "−");

/** The largest whole number that a column of the database holds. */
export const LARGEST_INT = 2_147_483_647;
